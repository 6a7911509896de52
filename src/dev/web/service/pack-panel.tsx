import type { PackAccessView } from "../../wire/service.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Toggle } from "../parts/field.tsx";
import { Empty, Pill } from "../parts/layout.tsx";
import { useAction } from "../use-server.ts";

/** How the Pack's runs come to this service: the domain that leads to it, and an account with its token. */
export function PackPanel({ access: { routes, account } }: { access: PackAccessView }) {
  const action = useAction();
  return (
    <div class="stack">
      {routes.length === 0 ? (
        <Empty title="The Pack declares no network domain">A run can only access the service below a domain that the Pack declares.</Empty>
      ) : (
        <ul class="plain stack tight">
          {routes.map(({ origin, isOn, isFixed }) => (
            <li key={origin}>
              <Toggle
                isOn={isOn}
                disabled={isFixed}
                onToggle={(next) => action.run(() => post("/api/service/route", { origin, isOn: next }))}
              >
                Requests for <code>{origin}</code> go to this service {isFixed && <Pill>by --route</Pill>}
              </Toggle>
            </li>
          ))}
        </ul>
      )}
      {action.failure !== undefined && <FailureNotice failure={action.failure} />}
      {account !== undefined && (
        <div class="row">
          <Button isBusy={action.isBusy} onClick={() => action.run(() => post("/api/service/account"))}>
            {account.made !== undefined ? "Make the account anew" : "Make an account of its token"}
          </Button>
          <span class="quiet">
            {account.made !== undefined ? (
              <>
                The account <code>{account.made}</code> holds it; the view Run can use it.
              </>
            ) : (
              "Stores the token of the service in the vault. It does not pass this page."
            )}
          </span>
        </div>
      )}
    </div>
  );
}
