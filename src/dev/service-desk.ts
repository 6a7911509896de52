import { randomUUID } from "node:crypto";
import { PackError } from "../errors.ts";
import type { ProfileName } from "../service/local/control/profiles.ts";
import type { ActionCall } from "../service/local/edits/edit.ts";
import type { LocalService } from "../service/local/service.ts";
import type { DevSession } from "./dev-session.ts";
import { openServiceLink, orServiceFailure, type ServiceLink, serviceAddress } from "./service-link.ts";
import { leadRoutes, makeServiceAccount, suggestedOrigins } from "./service-reach.ts";

/** The one document service that a session works with. */
export interface ServiceDesk extends AsyncDisposable {
  readonly current: ServiceLink | undefined;
  /** Whether the current one was started here. */
  readonly isOwn: boolean;
  /** @throws {PackError} SERVICE_FAILED while there is none */
  require(): ServiceLink;
  /** Starts one in this process, in the place of the one there was. The Pack's requests are led to it. */
  start(profile: ProfileName): Promise<void>;
  /** Works with one that runs on this machine. @throws {PackError} USAGE_INVALID, SERVICE_FAILED */
  connect(link: string, token: string): Promise<void>;
  stop(): Promise<void>;
  /** Name of the account that was made of the current one's token. */
  readonly account: string | undefined;
  /** Makes an account of the Pack whose token is that of the service. @throws {PackError} those of `makeServiceAccount` */
  makeAccount(): Promise<void>;
  /** How often something was changed here: a page that has seen another number asks anew. */
  readonly changes: number;
  changed(): void;
}

export function createServiceDesk(session: DevSession): ServiceDesk {
  // It stays the same when the service is started anew, so that an account that was made of it stays good.
  const token = randomUUID();
  let own: LocalService | undefined;
  let current: ServiceLink | undefined;
  let account: { name: string; token: string } | undefined;
  let changes = 0;
  let turn: Promise<unknown> = Promise.resolve();

  // Two clicks one after the other start one service after the other, and leave one of them.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  const changed = () => {
    changes += 1;
    session.events.send({ type: "service" });
  };
  const leave = async (): Promise<void> => {
    if (current !== undefined) leadRoutes(session, current.origin, []);
    const ended = own;
    own = undefined;
    current = undefined;
    await ended?.close();
  };
  const enter = (link: ServiceLink): void => {
    session.options.redactor.add(link.token);
    current = link;
    leadRoutes(session, link.origin, suggestedOrigins(session.state()));
    changed();
  };
  session.localTokens.onChange(() => own?.acceptTokensOf(session.localTokens.latest));
  const desk: ServiceDesk = {
    get current() {
      return current;
    },
    get isOwn() {
      return own !== undefined;
    },
    get account() {
      return account !== undefined && account.token === current?.token ? account.name : undefined;
    },
    async makeAccount() {
      const link = desk.require();
      account = { name: await makeServiceAccount(session, link, desk.account), token: link.token };
      changed();
    },
    get changes() {
      return changes;
    },
    changed,
    require() {
      if (current !== undefined) return current;
      throw new PackError("SERVICE_FAILED", "No local service is running.", {
        details: { operation: "", status: 0 },
        hint: "Start one in the view Service.",
      });
    },
    start: (profile) =>
      inTurn(async () => {
        await leave();
        const { startService } = await import("../service/local/service.ts");
        const actions = (call: ActionCall) => runAction(session, desk.account, call);
        own = await startService({ profile, now: session.now, token, actions, tokenIntrospection: session.localTokens.latest });
        enter(openServiceLink({ origin: new URL(own.url).origin, ...own }));
      }),
    connect: (link, givenToken) =>
      inTurn(async () => {
        const address = serviceAddress(link, givenToken);
        session.options.redactor.add(address.token);
        const opened = openServiceLink(address);
        // It must answer both ways before the other one is left.
        await opened.control("clock");
        await orServiceFailure(opened.reader.whoami());
        await leave();
        enter(opened);
      }),
    stop: () =>
      inTurn(async () => {
        await leave();
        changed();
      }),
    [Symbol.asyncDispose]: () => inTurn(leave),
  };
  return desk;
}

/** What a button of the service runs: an action of the Pack as it stands. */
async function runAction(session: DevSession, account: string | undefined, call: ActionCall): Promise<unknown> {
  const { options, entry } = session;
  const { runPackAction } = await import("../service/packs/pack-actions.ts");
  await using pack = await session.openPack();
  return await runPackAction(
    {
      ...{ ...options, account, routes: session.routes() },
      onExchange: (detail) => session.traffic.record({ kind: "run", id: "button", target: call.formula }, detail),
    },
    [{ file: entry, pack }],
    call,
  );
}
