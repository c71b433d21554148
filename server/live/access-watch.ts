import type { Principal } from "@/server/access/principal";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { findRevoked } from "./find-revoked";

/** Half of the second within which a revoked one must be gone. */
const CHECK_MS = 500;

export type AccessWatch = {
  /** `end` is called once when access is gone. @returns how to stop watching. */
  add(principal: Principal, end: () => void): () => void;
  /** Somebody's access may have changed: do not wait for the next turn. */
  check(): Promise<void>;
  close(): void;
};

function identityOf({ caller, tokenId, userId, role, sessionVersion }: Principal): string {
  return [caller.workspaceId, tokenId, userId, role, sessionVersion].join(" ");
}

/** Asks twice a second whether those that stay connected still may: all of them in two queries. */
export function createAccessWatch(db: Db): AccessWatch {
  const watched = new Map<symbol, { principal: Principal; end: () => void }>();
  let timer: NodeJS.Timeout | null = null;
  let checking = false;

  /** With the database away nobody is known to be revoked. */
  async function check(): Promise<void> {
    if (checking || watched.size === 0) return;
    checking = true;
    try {
      // A token with a thousand waiting polls is asked about once.
      const distinct = new Map(
        [...watched.values()].map(({ principal }) => [identityOf(principal), principal]),
      );
      const revoked = new Set([...(await findRevoked(db, [...distinct.values()]))].map(identityOf));
      for (const [key, { principal, end }] of watched) {
        if (revoked.has(identityOf(principal)) && watched.delete(key)) end();
      }
    } catch (error) {
      log.debug({ err: error }, "live: access could not be checked");
    } finally {
      checking = false;
    }
  }

  function stop(): void {
    if (timer) clearInterval(timer);
    timer = null;
  }

  return {
    add(principal, end) {
      const key = Symbol();
      watched.set(key, { principal, end });
      timer ??= setInterval(() => void check(), CHECK_MS).unref();
      return () => {
        watched.delete(key);
        if (watched.size === 0) stop();
      };
    },
    check,
    close: stop,
  };
}
