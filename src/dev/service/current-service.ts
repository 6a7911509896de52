import { randomUUID } from "node:crypto";
import { PackError } from "../../errors.ts";
import type { ProfileName } from "../../service/local/control/profiles.ts";
import type { ActionCall } from "../../service/local/edits/edit.ts";
import type { LocalService } from "../../service/local/service.ts";
import type { Seed } from "../../service/local/store/seed.ts";
import type { DevSession } from "../session/dev-session.ts";
import { makeServiceAccount, setServiceRoutes, suggestedOrigins } from "./pack-access.ts";
import {
  openServiceLink,
  orServiceFailure,
  type ServiceLink,
  serviceAddress,
} from "./service-link.ts";

/** The one document service that a session works with. */
export interface CurrentService extends AsyncDisposable {
  readonly link: ServiceLink | undefined;
  /** Whether the current one was started here. */
  readonly isOwn: boolean;
  /** The current service. @throws {PackError} SERVICE_FAILED while there is none */
  require(): ServiceLink;
  /**
   * Starts a service in this process, which replaces the current one. Requests of the Pack are
   * routed to it.
   * @param seed the documents. @default the demo document
   */
  start(profile: ProfileName, seed?: Seed): Promise<void>;
  /**
   * Connects to a service that runs on this machine. @throws {PackError} USAGE_INVALID,
   * SERVICE_FAILED
   */
  connect(link: string, token: string): Promise<void>;
  stop(): Promise<void>;
  /** Name of the account that was created with the token of the current service. */
  readonly account: string | undefined;
  /**
   * Creates an account of the Pack with the token of the service. @throws {PackError} the codes of
   * `makeServiceAccount`
   */
  makeAccount(): Promise<void>;
  /** Counts the changes made here. A page that has seen another number loads everything again. */
  readonly changes: number;
  changed(): void;
}

export function createCurrentService(session: DevSession): CurrentService {
  // The token survives a restart of the service, so that an account with it stays valid.
  const token = randomUUID();
  let own: LocalService | undefined;
  let current: ServiceLink | undefined;
  let account: { name: string; token: string } | undefined;
  let changes = 0;
  let turn: Promise<unknown> = Promise.resolve();

  // Two clicks in a row must not leave two services running.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  const announceChange = () => {
    changes += 1;
    session.events.send({ type: "service" });
  };
  const leave = async (): Promise<void> => {
    if (current !== undefined) setServiceRoutes(session, current.origin, []);
    const ended = own;
    own = undefined;
    current = undefined;
    await ended?.close();
  };
  const enter = (link: ServiceLink): void => {
    session.options.redactor.add(link.token);
    current = link;
    setServiceRoutes(session, link.origin, suggestedOrigins(session.state()));
    announceChange();
  };
  session.localTokens.onChange(() => own?.acceptTokensFrom(session.localTokens.latest));
  const service: CurrentService = {
    get link() {
      return current;
    },
    get isOwn() {
      return own !== undefined;
    },
    get account() {
      return account !== undefined && account.token === current?.token ? account.name : undefined;
    },
    async makeAccount() {
      const link = service.require();
      account = {
        name: await makeServiceAccount(session, link, service.account),
        token: link.token,
      };
      announceChange();
    },
    get changes() {
      return changes;
    },
    changed: announceChange,
    require() {
      if (current !== undefined) return current;
      throw new PackError("SERVICE_FAILED", "No local service is running.", {
        details: { operation: "", status: 0 },
        hint: "Start a service in the Service view.",
      });
    },
    start: (profile, seed) =>
      inTurn(async () => {
        await leave();
        const { startService } = await import("../../service/packs/start-service.ts");
        const actions = (call: ActionCall) => runAction(session, service.account, call);
        own = await startService({
          profile,
          seed,
          now: session.now,
          token,
          actions,
          tokenIntrospection: session.localTokens.latest,
        });
        enter(openServiceLink({ origin: new URL(own.url).origin, ...own }));
      }),
    connect: (link, givenToken) =>
      inTurn(async () => {
        const address = serviceAddress(link, givenToken, session.options.home);
        session.options.redactor.add(address.token);
        const opened = openServiceLink(address);
        // Check that the service answers before leaving the current one.
        await opened.control("clock");
        await orServiceFailure(opened.reader.whoami());
        await leave();
        enter(opened);
      }),
    stop: () =>
      inTurn(async () => {
        await leave();
        announceChange();
      }),
    [Symbol.asyncDispose]: () => inTurn(leave),
  };
  return service;
}

/** Runs an action of the Pack for a button of the service. */
async function runAction(
  session: DevSession,
  account: string | undefined,
  call: ActionCall,
): Promise<unknown> {
  const { options, entry } = session;
  const { runPackAction } = await import("../../service/packs/pack-actions.ts");
  await using pack = await session.openPack();
  return await runPackAction(
    {
      ...options,
      account,
      routes: session.routes(),
      onExchange: (detail) =>
        session.traffic.record({ kind: "run", id: "button", target: call.formula }, detail),
    },
    [{ file: entry, pack }],
    call,
  );
}
