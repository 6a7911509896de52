import { useState } from "preact/hooks";
import type {
  AccountView,
  AdditionalRequest,
  Approval,
  ConnectRequest,
  SlotView,
  VariableView,
} from "../../wire/accounts.ts";
import { Button } from "../parts/button.tsx";
import { Field, SelectField, TextField } from "../parts/field.tsx";

interface ConnectFormProps {
  slot: SlotView;
  /** The account to reconnect; undefined for a new one. */
  account: AccountView | undefined;
  /** @default nothing */
  additional?: AdditionalRequest | undefined;
  suggestedName: string;
  isBusy: boolean;
  onSubmit: (request: ConnectRequest) => void;
  onCancel: () => void;
}

/**
 * The form that connects an account of any type. What is typed here goes to the vault and never
 * comes back.
 */
export function ConnectForm({
  slot,
  account,
  additional = {},
  suggestedName,
  isBusy,
  onSubmit,
  onCancel,
}: ConnectFormProps) {
  const { extraScopes = "", login } = additional;
  const [values, setValues] = useState<Record<string, string>>({
    account: account?.name ?? suggestedName,
    clientId: account?.local === undefined ? (account?.clientId ?? "") : "",
    endpoint: account?.endpoint ?? "",
    host: account?.redirect?.host ?? "127.0.0.1",
    port: String(account?.redirect?.port ?? ""),
    path: account?.redirect?.path ?? "",
    uri: account?.redirect?.uri ?? "",
    scopes: extraScopes,
  });
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [approval, setApproval] = useState<Approval>("browser");
  const [variables, setVariables] = useState<Record<string, string>>({});
  const set = (name: string) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  const entered = (name: string) => values[name] ?? "";
  const answerTo = ({ name, isHidden, options, initial }: VariableView) =>
    (isHidden ? secrets : variables)[name] ??
    (options === undefined ? "" : (initial ?? options[0]?.value ?? ""));
  const keepsSecret =
    account?.clientId !== undefined &&
    account.clientId === entered("clientId").trim() &&
    account.local === undefined;

  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit({
      slot: slot.slot,
      account: entered("account"),
      endpoint: entered("endpoint"),
      extraScopes: entered("scopes"),
      login,
      ...(slot.client === undefined
        ? {}
        : { clientId: entered("clientId"), clientSecret: secrets["clientSecret"] ?? "" }),
      ...(slot.fields.length === 0 ? {} : { secrets: pick(secrets, slot.fields) }),
      ...(slot.variables.length === 0
        ? {}
        : {
            variables: Object.fromEntries(
              slot.variables.map((each) => [each.name, answerTo(each)]),
            ),
          }),
      ...(slot.redirect === undefined ? {} : { redirect: redirectOf(values), approval }),
    });
    // Forget secrets as soon as they are sent.
    setSecrets({});
  };

  return (
    <form
      class="connect-form stack"
      onSubmit={submit}
      aria-label={account === undefined ? "Connect an account" : `Reconnect ${account.name}`}
    >
      {slot.instructionsUrl !== undefined && (
        <p>
          <a href={slot.instructionsUrl} target="_blank" rel="noreferrer">
            How to set up the account
          </a>
        </p>
      )}
      {slot.redirect !== undefined && approval !== "device" && (
        <RedirectHint slot={slot} values={values} />
      )}
      <div class="columns">
        <TextField
          label="Account"
          hint="A name for this account. Most Packs need only one."
          value={entered("account")}
          onValue={set("account")}
          required
        />
        {slot.redirect !== undefined && (
          <SelectField
            label="Approve"
            hint={APPROVALS[approval][1]}
            value={approval}
            onValue={(value) => setApproval(value as Approval)}
            options={Object.entries(APPROVALS).map(([value, [text]]) => [value, text] as const)}
          />
        )}
        {slot.client !== undefined && (
          <TextField
            label="Client ID"
            note={slot.client.isOptional ? "optional" : undefined}
            hint={
              slot.client.isOptional
                ? "Leave it empty, and packsmith registers itself with the provider."
                : "The ID that the provider gave you."
            }
            value={entered("clientId")}
            onValue={set("clientId")}
            required={!slot.client.isOptional && account === undefined}
          />
        )}
        {slot.client !== undefined && !slot.client.usesKey && !slot.client.usesCertificate && (
          <TextField
            label="Client secret"
            type="password"
            hint={
              keepsSecret
                ? "Leave it empty to keep the one in the vault."
                : "Stored encrypted in the vault and never shown. Leave it empty for a public client."
            }
            value={secrets["clientSecret"] ?? ""}
            onValue={(clientSecret) => setSecrets((before) => ({ ...before, clientSecret }))}
          />
        )}
        {(slot.client?.usesKey === true || slot.client?.usesCertificate === true) && (
          <Field
            label={slot.client.usesKey ? "Private key" : "Certificate and private key"}
            hint={`${slot.client.usesKey ? "PEM or JWK" : "Both as PEM, one after the other"}. Stored encrypted in the vault and never shown.`}
          >
            {(control) => (
              <textarea
                {...control}
                class="input masked"
                rows={3}
                autocomplete="off"
                spellcheck={false}
                value={secrets["clientSecret"] ?? ""}
                onInput={(event) => {
                  const clientSecret = event.currentTarget.value;
                  setSecrets((before) => ({ ...before, clientSecret }));
                }}
              />
            )}
          </Field>
        )}
        {slot.fields.map(({ name, label, isHidden, isOptional }) => (
          <TextField
            key={name}
            label={label}
            note={isOptional ? "optional" : undefined}
            type={isHidden ? "password" : "text"}
            value={secrets[name] ?? ""}
            onValue={(value) => setSecrets((before) => ({ ...before, [name]: value }))}
            required={!isOptional}
          />
        ))}
        {slot.variables.map((variable) => {
          const { name, label, description, isHidden, isOptional, initial, options } = variable;
          const note = isOptional ? "optional" : undefined;
          if (options !== undefined) {
            return (
              <SelectField
                key={name}
                label={label}
                hint={description}
                value={answerTo(variable)}
                onValue={(value) => setVariables((before) => ({ ...before, [name]: value }))}
                options={options.map((option) => [option.value, option.label] as const)}
              />
            );
          }
          return (
            <TextField
              key={name}
              {...{ label, note, placeholder: initial, hint: description }}
              type={isHidden ? "password" : "text"}
              value={answerTo(variable)}
              onValue={(value) =>
                (isHidden ? setSecrets : setVariables)((before) => ({ ...before, [name]: value }))
              }
              required={!isOptional && initial === undefined && account === undefined}
            />
          );
        })}
        {slot.endpoint !== undefined && (
          <TextField
            label="Endpoint"
            hint="The URL of this account's API."
            placeholder={`https://example.${slot.endpoint.domain ?? "com"}`}
            value={entered("endpoint")}
            onValue={set("endpoint")}
            required={slot.steps.length === 0}
          />
        )}
      </div>
      {slot.steps.length > 0 && (
        <p class="quiet small">
          After connecting, you choose:{" "}
          {slot.steps.map(({ name, description }) => description || name).join(", ")}.
        </p>
      )}
      {slot.client !== undefined && (
        <MoreOptions slot={slot} isOpen={extraScopes !== ""} entered={entered} set={set} />
      )}
      <div class="row">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {slot.kind === "secrets" ? "Save to vault" : "Connect"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

const APPROVALS: Readonly<Record<Approval, readonly [text: string, hint: string]>> = {
  browser: ["in this browser", "The provider's page opens in a new tab."],
  paste: [
    "in another browser, and paste its address",
    "For a browser that cannot reach this machine, such as over SSH.",
  ],
  device: [
    "with a code on any device",
    "For a provider that supports RFC 8628. Its metadata names the endpoint.",
  ],
};

function RedirectHint({ slot, values }: { slot: SlotView; values: Record<string, string> }) {
  const { uri = "", host = "127.0.0.1", port = "", path = "" } = values;
  const shown =
    uri.trim() ||
    `http://${host}${port.trim() === "" ? "" : `:${port.trim()}`}${path.trim() || slot.redirect?.path || ""}`;
  return (
    <p class="notice small">
      Register this redirect URI with the provider: <code class="wrap">{shown}</code>
      {uri.trim() === "" &&
        port.trim() === "" &&
        " (with any port; if the provider requires a fixed one, set it in More options)"}
    </p>
  );
}

interface MoreOptionsProps {
  slot: SlotView;
  /** At first. */
  isOpen: boolean;
  entered: (name: string) => string;
  set: (name: string) => (value: string) => void;
}

function MoreOptions({ slot, isOpen, entered, set }: MoreOptionsProps) {
  return (
    <details open={isOpen}>
      <summary>More options</summary>
      <div class="columns more">
        <TextField
          label="Additional scopes"
          hint="Requested in addition to those of the definition. Separate them with spaces."
          value={entered("scopes")}
          onValue={set("scopes")}
        />
        {slot.redirect !== undefined && (
          <>
            <TextField
              label="Port of the redirect URI"
              hint="Leave it empty to use a free port."
              value={entered("port")}
              onValue={set("port")}
            />
            <SelectField
              label="Host of the redirect URI"
              value={entered("host")}
              onValue={set("host")}
              options={[
                ["127.0.0.1", "127.0.0.1"],
                ["localhost", "localhost"],
              ]}
            />
            <TextField
              label="Path of the redirect URI"
              placeholder={slot.redirect.path}
              value={entered("path")}
              onValue={set("path")}
            />
            <TextField
              label="Redirect URI behind a tunnel"
              hint="If a public address forwards to the port above."
              placeholder="https://tunnel.host.example/oauth/callback"
              value={entered("uri")}
              onValue={set("uri")}
            />
          </>
        )}
      </div>
    </details>
  );
}

function redirectOf({
  port = "",
  host,
  path,
  uri,
}: Record<string, string>): ConnectRequest["redirect"] {
  return { ...(port.trim() === "" ? {} : { port: Number(port) }), host, path, uri };
}

function pick(
  values: Record<string, string>,
  fields: readonly { name: string }[],
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ""]));
}
