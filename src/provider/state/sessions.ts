import type { ProviderUser } from "../options.ts";
import type { AuthorizationRequest } from "../request/authorization-request.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { DeviceRequest } from "./device-authorizations.ts";
import type { Login } from "./token-store.ts";

/** The session of a browser. */
export interface Session {
  id: string;
  csrf: string;
  /** How many wrong device codes it sent. */
  wrongCodes: number;
  user: ProviderUser | undefined;
  /** How the user has signed in; undefined without a user. */
  login: Login | undefined;
}

/** The session of a browser whose user has signed in. */
export type SignedInSession = Session & { user: ProviderUser; login: Login };

export function isSignedIn(session: Session): session is SignedInSession {
  return session.user !== undefined && session.login !== undefined;
}

/** A request that waits for the user. It belongs to the browser that began it. */
export interface Interaction {
  id: string;
  sessionId: string;
  request: ConsentRequest;
  /**
   * Whether the consent page can be shown: the user is signed in, and has signed in again if
   * `prompt=login` requires it.
   */
  ready: boolean;
}

export interface Sessions {
  find(id: string | undefined): Session | undefined;
  create(): Session;
  /**
   * Signs in for a pending request, with a new session ID, so that an ID that an attacker has set
   * before is useless.
   */
  signIn(interaction: Interaction, user: ProviderUser, login: Login): SignedInSession;
  begin(session: Session, request: ConsentRequest, ready: boolean): Interaction;
  /** The pending request, only for its own browser. */
  pending(session: Session, interactionId: string | undefined): Interaction | undefined;
  finish(interaction: Interaction): void;
  /** Signs out. */
  end(session: Session): void;
  /** The scopes that a user has allowed a client before. */
  getConsent(userId: string, clientId: string): ReadonlySet<string>;
  remember(userId: string, clientId: string, scopes: readonly string[]): void;
  clear(): void;
}

const MAX_SESSIONS = 10_000;

export function createSessions(randomText: (bytes: number) => string): Sessions {
  const sessions = new BoundedMap<string, Session>(MAX_SESSIONS);
  const interactions = new BoundedMap<string, Interaction>(MAX_SESSIONS);
  const consents = new BoundedMap<string, Set<string>>(MAX_SESSIONS);
  const consentKey = (userId: string, clientId: string) => JSON.stringify([userId, clientId]);
  const create = <Members extends Pick<Session, "user" | "login">>(members: Members) => {
    const session = { id: randomText(32), csrf: randomText(32), wrongCodes: 0, ...members };
    sessions.set(session.id, session);
    return session;
  };
  return {
    find: (id) => (id === undefined ? undefined : sessions.get(id)),
    create: () => create({ user: undefined, login: undefined }),
    signIn(interaction, user, login) {
      sessions.delete(interaction.sessionId);
      const session = create({ user, login });
      Object.assign(interaction, { sessionId: session.id, ready: true });
      return session;
    },
    begin(session, request, ready) {
      const interaction = { id: randomText(16), sessionId: session.id, request, ready };
      interactions.set(interaction.id, interaction);
      return interaction;
    },
    pending(session, id) {
      const interaction = id === undefined ? undefined : interactions.get(id);
      return interaction?.sessionId === session.id ? interaction : undefined;
    },
    end: ({ id }) => void sessions.delete(id),
    finish: ({ id }) => void interactions.delete(id),
    getConsent: (userId, clientId) => consents.get(consentKey(userId, clientId)) ?? new Set(),
    remember: (userId, clientId, scopes) => {
      const key = consentKey(userId, clientId);
      consents.set(key, new Set([...(consents.get(key) ?? []), ...scopes]));
    },
    clear() {
      sessions.clear();
      interactions.clear();
      consents.clear();
    },
  };
}

/** A request for the user's consent. */
export type ConsentRequest = AuthorizationRequest | DeviceRequest;
