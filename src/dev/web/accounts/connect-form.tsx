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

/** What the user entered so far. What is typed here goes to the vault and never comes back. */
interface Entries {
  /** Texts by the name of their field. */
  values: Readonly<Record<string, string>>;
  /** Hidden values: the client secret, fields of the account, hidden variables. */
  secrets: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
  approval: Approval;
}

interface FormPart {
  slot: SlotView;
  /** The account to reconnect; undefined for a new one. */
  account: AccountView | undefined;
  entries: Entries;
  /** Replaces one entry. */
  set(group: "values" | "secrets" | "variables", name: string, value: string): void;
}

/** The form that connects an account of any type. */
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
  const [entries, setEntries] = useState(() => startEntries(account, suggestedName, extraScopes));
  const set: FormPart["set"] = (group, name, value) =>
    setEntries((before) => ({ ...before, [group]: { ...before[group], [name]: value } }));
  const setApproval = (approval: Approval) => setEntries((before) => ({ ...before, approval }));
  const part: FormPart = { slot, account, entries, set };

  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit({ ...writeRequest(slot, entries), login });
    // Forget secrets as soon as they are sent.
    setEntries((before) => ({ ...before, secrets: {} }));
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
      {slot.redirect !== undefined && entries.approval !== "device" && (
        <RedirectHint slot={slot} values={entries.values} />
      )}
      <div class="columns">
        <TextField
          label="Account"
          hint="A name for this account. Most Packs need only one account."
          value={entries.values["account"] ?? ""}
          onValue={(value) => set("values", "account", value)}
          required
        />
        {slot.redirect !== undefined && (
          <ApprovalField approval={entries.approval} onValue={setApproval} />
        )}
        <ClientFields {...part} />
        <SecretFields {...part} />
        <VariableFields {...part} />
        <EndpointField {...part} />
      </div>
      <StepsHint slot={slot} />
      {slot.client !== undefined && <MoreOptions {...part} isOpen={extraScopes !== ""} />}
      <div class="row">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {slot.kind === "secrets" ? "Save to vault" : "Connect"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

/** What the user chooses after the login. */
function StepsHint({ slot: { steps } }: { slot: SlotView }) {
  if (steps.length === 0) return null;
  return (
    <p class="quiet small">
      After you connect, you choose:{" "}
      {steps.map(({ name, description }) => description || name).join(", ")}.
    </p>
  );
}

function startEntries(
  account: AccountView | undefined,
  suggestedName: string,
  scopes: string,
): Entries {
  const redirect = account?.redirect;
  const { redirectHost = "127.0.0.1", redirectPath = "", redirectUri = "" } = redirect ?? {};
  const port = redirect?.ports?.[0] ?? redirect?.port ?? 0;
  return {
    values: {
      account: account?.name ?? suggestedName,
      clientId: account?.local === undefined ? (account?.clientId ?? "") : "",
      endpoint: account?.endpoint ?? "",
      host: redirectHost,
      port: port === 0 ? "" : String(port),
      path: redirectPath,
      uri: redirectUri,
      scopes,
    },
    secrets: {},
    variables: {},
    approval: "browser",
  };
}

/** Only what the slot asks for is sent. */
function writeRequest(slot: SlotView, entries: Entries): ConnectRequest {
  const { values, secrets, approval } = entries;
  const request: ConnectRequest = {
    slot: slot.slot,
    account: values["account"] ?? "",
    endpoint: values["endpoint"] ?? "",
    extraScopes: values["scopes"] ?? "",
  };
  if (slot.client !== undefined) {
    request.clientId = values["clientId"] ?? "";
    request.clientSecret = secrets["clientSecret"] ?? "";
  }
  if (slot.fields.length > 0)
    request.secrets = Object.fromEntries(
      slot.fields.map(({ name }) => [name, secrets[name] ?? ""]),
    );
  if (slot.variables.length > 0)
    request.variables = Object.fromEntries(
      slot.variables.map((variable) => [variable.name, readAnswer(variable, entries)]),
    );
  if (slot.redirect !== undefined) {
    request.redirect = readRedirect(values);
    request.approval = approval;
  }
  return request;
}

function readAnswer(
  { name, isHidden, options, initial }: VariableView,
  { secrets, variables }: Entries,
): string {
  const answer = (isHidden ? secrets : variables)[name];
  return answer ?? (options === undefined ? "" : (initial ?? options[0]?.value ?? ""));
}

function readRedirect({ port = "", host, path, uri }: Entries["values"]) {
  const redirect: ConnectRequest["redirect"] = { host, path, uri };
  return port.trim() === "" ? redirect : { ...redirect, port: Number(port) };
}

const APPROVALS: Readonly<Record<Approval, readonly [text: string, hint: string]>> = {
  browser: ["in this browser", "The provider's page opens in a new tab."],
  paste: [
    "in another browser, then paste the address of the last page",
    "Choose this option if your browser cannot reach this machine, for example because you work over SSH.",
  ],
  device: [
    "with a code on any device",
    "The provider must support device authorization (RFC 8628), and its metadata must contain the endpoint.",
  ],
};

interface ApprovalFieldProps {
  approval: Approval;
  onValue: (approval: Approval) => void;
}

function ApprovalField({ approval, onValue }: ApprovalFieldProps) {
  return (
    <SelectField
      label="Approve"
      hint={APPROVALS[approval][1]}
      value={approval}
      onValue={(value) => onValue(value as Approval)}
      options={Object.entries(APPROVALS).map(([value, [text]]) => [value, text] as const)}
    />
  );
}

/** The client ID, and the secret, key or certificate of the client. */
function ClientFields({ slot, account, entries, set }: FormPart) {
  const { client } = slot;
  if (client === undefined) return null;
  const clientId = entries.values["clientId"] ?? "";
  const keepsSecret =
    account?.clientId !== undefined &&
    account.clientId === clientId.trim() &&
    account.local === undefined;
  const secret = {
    value: entries.secrets["clientSecret"] ?? "",
    onValue: (value: string) => set("secrets", "clientSecret", value),
  };
  return (
    <>
      <TextField
        label="Client ID"
        note={client.isOptional ? "optional" : undefined}
        hint={
          client.isOptional
            ? "If you leave this field empty, packsmith registers a client with the provider."
            : "The client ID that the provider issued."
        }
        value={clientId}
        onValue={(value) => set("values", "clientId", value)}
        required={!client.isOptional && account === undefined}
      />
      {client.usesKey || client.usesCertificate ? (
        <KeyField usesKey={client.usesKey} {...secret} />
      ) : (
        <TextField
          label="Client secret"
          type="password"
          hint={
            keepsSecret
              ? "Leave this field empty to keep the secret in the vault."
              : "packsmith encrypts the secret in the vault, and never shows it. Leave this field empty for a public client."
          }
          {...secret}
        />
      )}
    </>
  );
}

interface KeyFieldProps {
  /** Otherwise a certificate with its private key. */
  usesKey: boolean;
  value: string;
  onValue: (value: string) => void;
}

function KeyField({ usesKey, value, onValue }: KeyFieldProps) {
  return (
    <Field
      label={usesKey ? "Private key" : "Certificate and private key"}
      hint={`${usesKey ? "PEM or JWK" : "Both in PEM format, one after the other"}. packsmith encrypts the key in the vault, and never shows it.`}
    >
      {(control) => (
        <textarea
          {...control}
          class="input masked"
          rows={3}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function SecretFields({ slot, entries, set }: FormPart) {
  return slot.fields.map(({ name, label, isHidden, isOptional }) => (
    <TextField
      key={name}
      label={label}
      note={isOptional ? "optional" : undefined}
      type={isHidden ? "password" : "text"}
      value={entries.secrets[name] ?? ""}
      onValue={(value) => set("secrets", name, value)}
      required={!isOptional}
    />
  ));
}

function VariableFields({ slot, account, entries, set }: FormPart) {
  return slot.variables.map((variable) => {
    const { name, label, description, isHidden, isOptional, initial, options } = variable;
    const value = readAnswer(variable, entries);
    return options === undefined ? (
      <TextField
        key={name}
        label={label}
        note={isOptional ? "optional" : undefined}
        placeholder={initial}
        hint={description}
        type={isHidden ? "password" : "text"}
        value={value}
        onValue={(answer) => set(isHidden ? "secrets" : "variables", name, answer)}
        required={!isOptional && initial === undefined && account === undefined}
      />
    ) : (
      <SelectField
        key={name}
        label={label}
        hint={description}
        value={value}
        onValue={(answer) => set("variables", name, answer)}
        options={options.map((option) => [option.value, option.label] as const)}
      />
    );
  });
}

function EndpointField({ slot, entries, set }: FormPart) {
  if (slot.endpoint === undefined) return null;
  return (
    <TextField
      label="Endpoint"
      hint="The base URL of the API for this account."
      placeholder={`https://example.${slot.endpoint.domain ?? "com"}`}
      value={entries.values["endpoint"] ?? ""}
      onValue={(value) => set("values", "endpoint", value)}
      required={slot.steps.length === 0}
    />
  );
}

function RedirectHint({ slot, values }: { slot: SlotView; values: Entries["values"] }) {
  const { uri = "", host = "127.0.0.1", port = "", path = "" } = values;
  const shownPath = path.trim() || slot.redirect?.path;
  if (uri.trim() === "" && shownPath === undefined)
    return (
      <p class="notice small">
        The redirect URI appears here as soon as packsmith knows the server.
      </p>
    );
  const shown =
    uri.trim() || `http://${host}${port.trim() === "" ? "" : `:${port.trim()}`}${shownPath}`;
  return (
    <p class="notice small">
      Register this redirect URI with the provider: <code class="wrap">{shown}</code>
      {uri.trim() === "" &&
        port.trim() === "" &&
        " (with any port; if the provider requires a fixed port, set the port in More options)"}
    </p>
  );
}

interface MoreOptionsProps extends FormPart {
  /** At first. */
  isOpen: boolean;
}

function MoreOptions({ slot, isOpen, entries, set }: MoreOptionsProps) {
  const bind = (name: string) => ({
    value: entries.values[name] ?? "",
    onValue: (value: string) => set("values", name, value),
  });
  return (
    <details open={isOpen}>
      <summary>More options</summary>
      <div class="columns more">
        <TextField
          label="Additional scopes"
          hint="Scopes to request in addition to the scopes in the authentication definition. Separate scopes with spaces."
          {...bind("scopes")}
        />
        {slot.redirect !== undefined && (
          <>
            <TextField
              label="Port of the redirect URI"
              hint="Leave this field empty to use a free port."
              {...bind("port")}
            />
            <SelectField
              label="Host of the redirect URI"
              {...bind("host")}
              options={[
                ["127.0.0.1", "127.0.0.1"],
                ["localhost", "localhost"],
              ]}
            />
            <TextField
              label="Path of the redirect URI"
              placeholder={slot.redirect.path ?? ""}
              {...bind("path")}
            />
            <TextField
              label="Redirect URI behind a tunnel"
              hint="Enter a public address that forwards to the port above."
              placeholder="https://tunnel.host.example/oauth/callback"
              {...bind("uri")}
            />
          </>
        )}
      </div>
    </details>
  );
}
