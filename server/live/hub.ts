import { randomBytes } from "node:crypto";
import type { Principal, Scope } from "@/server/access/principal";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { createAccessWatch } from "./access-watch";
import { createBlindListener, createListener, type Listener } from "./listener";
import { PendingHints } from "./pending-hints";
import type { Touched } from "./publish";
import { CHANNEL, createPublisher, readPayload } from "./publisher";
import { LIVE_KINDS, type LiveHint, type LiveKind } from "./schema";
import { createWriteBell, type RungFor, WRITES_CHANNEL } from "./write-bell";

/** Each costs a socket and some kilobytes. */
const MAX_SUBSCRIBERS = 1_000;
/** Of one person or token: more tabs than anybody has. */
const MAX_OF_ONE = 40;

/** What a hint of each kind may be told to. */
const SCOPE_OF: Record<LiveKind, Scope> = {
  run: "runs:read",
  feed: "sources:read",
  source: "sources:read",
  documents: "documents:read",
  token: "admin",
  webhook: "admin",
  // Every role has it.
  person: "sources:read",
  workspace: "sources:read",
};

export type EndReason = "revoked" | "shutdown";

/** One open connection's part of the hub. Holds no database connection. */
export type Subscriber = {
  readonly principal: Principal;
  readonly pending: PendingHints;
  ended: EndReason | null;
  /** Resolves when there is something to tell, or when it is over. */
  wait(signal: AbortSignal | undefined): Promise<void>;
  leave(): void;
};

export type LiveHub = {
  publish(workspaceId: number, touched: Touched): void;
  /** @throws AppError rate_limited when there are too many. */
  subscribe(principal: Principal): Subscriber;
  /**
   * Tells of every transaction, in any process, that wrote documents: right after its commit, with the
   * workspaces it may have been; null for all, also when something may have been missed. Begins to
   * listen. @returns how to stop.
   */
  onWrites(heard: (workspaces: RungFor) => void): () => void;
  /** `end` is called within a second after the principal's access ended. @returns how to stop watching. */
  watchAccess(principal: Principal, end: () => void): () => void;
  /** Sends what waits and ends everything; subscribers are told to come back. */
  close(): Promise<void>;
};

/**
 * One process's end of the live channel for one database.
 *
 * @param directUrl where LISTEN works; null where only a transaction pooler is known.
 */
export function createHub(db: Db, directUrl: () => string | null): LiveHub {
  const origin = randomBytes(9).toString("base64url");
  const publisher = createPublisher(db, origin);
  const bell = createWriteBell(db, origin);
  const access = createAccessWatch(db);
  const writeListeners = new Set<(workspaces: RungFor) => void>();
  const subscribers = new Map<Subscriber, () => void>();
  let listener: Listener | null = null;

  function deliver(workspaceId: number | null, hints: LiveHint[]): void {
    if (hints.some(({ kind }) => kind === "token" || kind === "person")) void access.check();
    for (const [subscriber, wake] of subscribers) {
      const { caller, scopes } = subscriber.principal;
      if (workspaceId !== null && caller.workspaceId !== workspaceId) continue;
      for (const hint of hints) {
        if (hint.kind === "all" || scopes.has(SCOPE_OF[hint.kind])) subscriber.pending.add(hint);
      }
      if (!subscriber.pending.isEmpty) wake();
    }
  }

  function tellOfWrites(workspaces: RungFor): void {
    for (const heard of writeListeners) heard(workspaces);
  }

  function start(): void {
    listener ??= listen(directUrl());
  }

  function listen(url: string | null): Listener {
    const onGap = () => {
      deliver(null, [{ kind: "all", ids: null }]);
      tellOfWrites(null);
    };
    if (url === null) return createBlindListener(onGap);
    return createListener(url, [CHANNEL, WRITES_CHANNEL], {
      onMessage(text, channel) {
        if (channel === WRITES_CHANNEL) {
          const workspaces = bell.read(text);
          if (workspaces !== undefined) tellOfWrites(workspaces);
          return;
        }
        const payload = readPayload(text);
        if (payload && payload.origin !== origin) deliver(payload.workspaceId, payload.hints);
      },
      onGap,
    });
  }

  return {
    publish(workspaceId, touched) {
      const hints = toHints(touched);
      if (hints.length === 0) return;
      if (hints.some((hint) => hint.kind === "documents")) {
        tellOfWrites([workspaceId]);
        bell.ring(workspaceId);
      }
      deliver(workspaceId, hints); // this process need not wait for its own NOTIFY
      publisher.add(workspaceId, hints);
    },
    subscribe(principal) {
      refuseTooMany([...subscribers.keys()], principal);
      let wake = () => {};
      const subscriber: Subscriber = {
        principal,
        pending: new PendingHints(),
        ended: null,
        wait(signal) {
          if (!subscriber.pending.isEmpty || subscriber.ended || signal?.aborted) return Promise.resolve();
          return new Promise((resolve) => {
            const done = () => {
              signal?.removeEventListener("abort", done);
              wake = () => {};
              resolve();
            };
            wake = done;
            signal?.addEventListener("abort", done, { once: true });
          });
        },
        leave() {
          subscribers.delete(subscriber);
          stopWatching();
        },
      };
      subscribers.set(subscriber, () => wake());
      const stopWatching = access.add(principal, () => {
        subscriber.ended = "revoked";
        wake();
      });
      start();
      return subscriber;
    },
    onWrites(heard) {
      writeListeners.add(heard);
      start();
      return () => void writeListeners.delete(heard);
    },
    watchAccess: access.add,
    async close() {
      access.close();
      for (const [subscriber, wake] of subscribers) {
        subscriber.ended ??= "shutdown";
        wake();
      }
      const ending = listener;
      listener = null;
      await Promise.all([publisher.flush(), bell.flush(), ending?.end()]);
    },
  };
}

function toHints(touched: Touched): LiveHint[] {
  return LIVE_KINDS.flatMap((kind) => {
    const ids = (touched[kind] ?? []).filter((id) => typeof id === "string");
    return ids.length > 0 ? [{ kind, ids }] : [];
  });
}

function refuseTooMany(open: Subscriber[], { userId, tokenId }: Principal): void {
  const own = open.filter(({ principal }) => principal.userId === userId && principal.tokenId === tokenId);
  if (open.length < MAX_SUBSCRIBERS && own.length < MAX_OF_ONE) return;
  throw new AppError("rate_limited", "Too many live connections are open. Close some pages.", {
    retryAfterSeconds: 30,
  });
}

const shared = globalThis as typeof globalThis & {
  __tidemarkLive?: WeakMap<Db, LiveHub>;
  __tidemarkShutdown?: Set<() => Promise<void>>;
};

/** The process's hub for a database. On globalThis because Next bundles instrumentation and routes apart. */
export function hubFor(db: Db): LiveHub {
  shared.__tidemarkLive ??= new WeakMap();
  let hub = shared.__tidemarkLive.get(db);
  if (!hub) {
    hub = createHub(db, listenUrl);
    shared.__tidemarkLive.set(db, hub);
    const { close } = hub;
    shared.__tidemarkShutdown ??= new Set();
    shared.__tidemarkShutdown.add(close);
  }
  return hub;
}

function listenUrl(): string | null {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = env();
  return DATABASE_DIRECT_URL ?? (DATABASE_URL.includes("pgbouncer=true") ? null : DATABASE_URL);
}

/** Puts another hub in its place; for tests, whose databases are not the environment's. */
export function setHub(db: Db, hub: LiveHub): void {
  shared.__tidemarkLive ??= new WeakMap();
  shared.__tidemarkLive.set(db, hub);
}
