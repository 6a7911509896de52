import { useEffect, useRef, useState } from "preact/hooks";
import type { McpToolsView, McpToolView } from "../../wire/mcp.ts";
import type { PackView } from "../../wire/pack.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { countText } from "../parts/format.ts";
import { Empty } from "../parts/layout.tsx";
import { Picker, type PickerEntry } from "../parts/picker.tsx";
import { Split } from "../parts/split.tsx";
import { linkTo, type ViewProps } from "../route.ts";
import { ConnectHere, lacksAccount } from "../run/connect-here.tsx";
import { RunFacts, RunFailure } from "../run/result-panel.tsx";
import { chosenAccount, type RunAccounts, useRunAccounts } from "../run/use-run.ts";
import { useAction } from "../use-server.ts";
import { EFFECTS } from "./effects.ts";
import { ToolPanel } from "./tool-panel.tsx";

/** The Pack's MCP server: its tools, and calls of them. */
export function Mcp({ pack, parts: [wanted] }: ViewProps) {
  const { mcpServer } = pack;
  return (
    <div class="view stack mcp">
      {mcpServer === undefined ? (
        <>
          <header>
            <h2>MCP server</h2>
          </header>
          <Empty title="The Pack has no MCP server">
            Add a server with pack.addMCPServer. <a href={linkTo("overview")}>Go to the overview</a>
          </Empty>
        </>
      ) : (
        <Server key={mcpServer.endpointUrl} pack={pack} wanted={wanted} server={mcpServer} />
      )}
    </div>
  );
}

interface ServerProps extends Pick<ViewProps, "pack"> {
  server: NonNullable<PackView["mcpServer"]>;
  /** The tool that the address names. */
  wanted: string | undefined;
}

function Server({ pack, server, wanted }: ServerProps) {
  const [picked, setPicked] = useState("");
  const accounts = useRunAccounts("optional");
  const account = chosenAccount(accounts, picked);
  const list = useTools(account, accounts.isLoaded && pack.canRun);
  const { tools = [], failure, run } = list.loaded ?? {};
  const connects = accounts.slot !== undefined && lacksAccount(failure, accounts.slot);
  return (
    <>
      <header>
        <ServerTitle server={server} />
        <div class="row aside">
          {accounts.names.length > 1 && (
            <AccountChoice names={accounts.names} account={account} onPick={setPicked} />
          )}
          <span class="quiet small" role="status">
            {describeList(list)}
          </span>
          {run !== undefined && <RunFacts run={run} />}
          <Button isSmall disabled={list.isBusy || !pack.canRun} onClick={list.load}>
            Reload tools
          </Button>
        </div>
      </header>
      {!pack.canRun && (
        <Empty title="The Pack cannot run yet">Fix the errors that the overview lists.</Empty>
      )}
      <FailureNotice failure={list.failure} />
      {failure !== undefined && run !== undefined && !connects && (
        <RunFailure failure={failure} run={run.id} />
      )}
      {accounts.slot !== undefined && failure !== undefined && (
        <ConnectHere
          {...accounts}
          slot={accounts.slot}
          target="The MCP server"
          account={account ?? "default"}
          need={{
            runId: run?.id,
            failure,
            isBusy: list.isBusy,
            isConnected: false,
            isWaited: false,
          }}
          onConnected={list.load}
        />
      )}
      {list.loaded !== undefined && failure === undefined && tools.length === 0 && (
        <Empty title="The server does not offer any tools">
          The server may offer tools to an account with other permissions.
        </Empty>
      )}
      {failure === undefined && tools.length > 0 && (
        <Tools pack={pack} accounts={accounts} account={account} tools={tools} wanted={wanted} />
      )}
    </>
  );
}

function ServerTitle({ server: { name, endpointUrl } }: Pick<ServerProps, "server">) {
  return (
    <>
      <h2>MCP server</h2>
      <p class="quiet small wrap">
        {name} · <span class="mono">{endpointUrl}</span>
      </p>
    </>
  );
}

/**
 * The tools that the server offers to an account. Those of the last answer stay while they are
 * loaded again.
 * @param canLoad loads them as soon as this is true, and for each account
 */
function useTools(account: string | undefined, canLoad: boolean) {
  const { isBusy, failure, run } = useAction<McpToolsView>();
  const [loaded, setLoaded] = useState<McpToolsView | undefined>(undefined);
  const turn = useRef(0);
  const load = (): void => {
    turn.current += 1;
    const own = turn.current;
    void run(async () => {
      const answer = await post<McpToolsView>("/api/mcp/tools", { account });
      // An answer for another account may arrive late.
      if (own === turn.current) setLoaded(answer);
      return answer;
    });
  };
  useEffect(() => {
    if (canLoad) load();
  }, [account, canLoad]);
  return { isBusy, failure, loaded, load };
}

function describeList({ isBusy, loaded }: Pick<ReturnType<typeof useTools>, "isBusy" | "loaded">) {
  if (isBusy) return "Asking the server…";
  return loaded?.run === undefined || loaded.failure !== undefined
    ? ""
    : `${countText(loaded.tools.length, "tool")} ·`;
}

interface AccountChoiceProps {
  names: readonly string[];
  account: string | undefined;
  onPick: (name: string) => void;
}

function AccountChoice({ names, account, onPick }: AccountChoiceProps) {
  return (
    <select
      class="input account"
      aria-label="Account"
      value={account ?? "default"}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

interface ToolsProps extends Pick<ServerProps, "pack" | "wanted"> {
  accounts: RunAccounts;
  /** Undefined for the account "default". */
  account: string | undefined;
  tools: readonly McpToolView[];
}

/** A list of tools, and the chosen one. */
function Tools({ pack, accounts, account, tools, wanted }: ToolsProps) {
  const chosen =
    tools.find(({ name }) => name === wanted) ?? (wanted === undefined ? tools[0] : undefined);
  return (
    <Split
      name="run-list"
      label="Width of the list"
      limits={LIST_WIDTHS}
      first={
        <Picker
          label="Tools"
          placeholder="Choose a tool"
          view="mcp"
          groups={[{ title: "Tools", entries: tools.map(describeEntry) }]}
          chosen={chosen?.name}
        />
      }
      second={
        <div class="stack chosen">
          {chosen === undefined ? (
            <Empty title={`There is no tool named ${wanted}`}>Choose a tool from the list.</Empty>
          ) : (
            <ToolPanel
              key={chosen.name}
              pack={pack}
              accounts={accounts}
              account={account}
              tool={chosen}
            />
          )}
        </div>
      }
    />
  );
}

const LIST_WIDTHS = { initial: 272, least: 160, most: 560 };

function describeEntry({ name, title = "", description, effect }: McpToolView): PickerEntry {
  const [kind, tone] = effect === "deletes" ? EFFECTS.deletes : ["tool", undefined];
  return { title: name, texts: [title, description], kind, tone };
}
