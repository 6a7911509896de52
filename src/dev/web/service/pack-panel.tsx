import type { PackAccessView } from "../../wire/service.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Toggle } from "../parts/field.tsx";
import { Empty, Pill } from "../parts/layout.tsx";
import { useAction } from "../use-server.ts";

/**
 * How runs of the Pack reach this service: the domains that are routed to it, and an account with
 * its token.
 */
export function PackPanel({
  access: { routes, account },
  askedAtMs,
}: {
  access: PackAccessView;
  askedAtMs: number;
}) {
  const action = useAction();
  return (
    <div class="stack">
      {routes.length === 0 ? (
        <Empty title="The Pack does not declare a network domain">
          Requests can be routed to the service only from a declared domain. Declare one with
          pack.addNetworkDomain.
        </Empty>
      ) : (
        <ul class="plain stack tight">
          {routes.map(({ origin, isOn, isFixed }) => (
            <li key={origin}>
              <Toggle
                isOn={isOn}
                askedAtMs={askedAtMs}
                disabled={isFixed}
                onToggle={(next) =>
                  action.run(() => post("/api/service/route", { origin, isOn: next }))
                }
              >
                Route requests for <code>{origin}</code> to this service{" "}
                {isFixed && <Pill>set by --route</Pill>}
              </Toggle>
            </li>
          ))}
        </ul>
      )}
      <FailureNotice failure={action.failure} />
      {account !== undefined && (
        <div class="row">
          <Button
            isBusy={action.isBusy}
            onClick={() => action.run(() => post("/api/service/account"))}
          >
            {account.made !== undefined
              ? "Update the account"
              : "Create an account with the service's token"}
          </Button>
          <span class="quiet">
            {account.made !== undefined ? (
              <>
                The account <code>{account.made}</code> contains the token. Use this account in the
                Run view.
              </>
            ) : (
              "packsmith stores the token of the service in the vault. This page never receives it."
            )}
          </span>
        </div>
      )}
    </div>
  );
}
