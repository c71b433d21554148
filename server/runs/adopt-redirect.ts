import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import { type Feed, Prisma, type Source, type Tx } from "@/server/db";
import { refuseFeed } from "@/server/feeds/refused-feeds";
import { deleteCredential, openCredential, saveCredential } from "@/server/vault/credentials";
import { splitSecretUrl } from "@/server/vault/feed-url";
import type { RunWarning } from "./run-error";

/** A site that redirects for a day by mistake must not take the feed with it. */
const ADOPT_AFTER_RUNS = 3;

export type RedirectPatch = Pick<
  Prisma.FeedUncheckedUpdateInput,
  "redirectTo" | "redirectRuns" | "externalKey" | "credentialId" | "adapterState"
>;

/**
 * Counts successful runs that went through the same permanent redirect, and adopts its target as the
 * feed's address after three. Identity, cursor and documents stay; validators go, because they belong
 * to the exact URL.
 *
 * @param movedTo the final URL where every hop was permanent; null = there was none.
 */
export async function noteRedirect(
  tx: Tx,
  caller: Caller,
  { feed, source, movedTo }: { feed: Feed; source: Source; movedTo: string | null },
): Promise<{ patch: RedirectPatch; warnings: RunWarning[] }> {
  if (movedTo === null) {
    return { patch: feed.redirectTo === null ? {} : { redirectTo: null, redirectRuns: 0 }, warnings: [] };
  }
  // The masked spelling is what may be stored in the open; its hash tells secrets apart.
  const target = splitSecretUrl(await carryUserinfo(tx, feed, movedTo));
  if (target.externalKey === feed.externalKey)
    return { patch: { redirectTo: null, redirectRuns: 0 }, warnings: [] };
  const runs = feed.redirectTo === target.externalKey ? feed.redirectRuns + 1 : 1;
  const counted = { redirectTo: target.externalKey, redirectRuns: runs };
  if (runs < ADOPT_AFTER_RUNS) return { patch: counted, warnings: [] };

  const obstacle = await findObstacle(tx, feed, source, target.externalKey);
  // Said once, with the run that would have adopted it.
  if (obstacle) return { patch: counted, warnings: runs === ADOPT_AFTER_RUNS ? [obstacle] : [] };

  const credentialId = await moveSecret(tx, feed, target.secretUrl);
  // A page that goes on naming the old address does not make a second feed of it.
  await refuseFeed(tx, feed.workspaceId, feed.id, "moved");
  await audit(tx, caller, "feed.redirect_adopted", feed.id, {
    from: feed.externalKey,
    to: target.externalKey,
  });
  return {
    patch: {
      redirectTo: null,
      redirectRuns: 0,
      externalKey: target.externalKey,
      credentialId,
      adapterState: Prisma.DbNull,
    },
    warnings: [
      {
        code: "redirect_adopted",
        message: `The feed moved for good; its address is now ${target.externalKey}.`,
      },
    ],
  };
}

/** A user name and password in the address are not part of a redirect; within the site they go along. */
async function carryUserinfo(tx: Tx, feed: Feed, movedTo: string): Promise<string> {
  if (feed.credentialId === null || !URL.canParse(movedTo)) return movedTo;
  const secret = await openCredential(tx, feed.workspaceId, feed.credentialId);
  if (secret.type !== "url" || !URL.canParse(secret.url)) return movedTo;
  const from = new URL(secret.url);
  const to = new URL(movedTo);
  if (from.username === "" && from.password === "") return movedTo;
  if (from.origin !== to.origin) return movedTo; // findObstacle refuses it
  to.username = from.username;
  to.password = from.password;
  return to.href;
}

async function findObstacle(
  tx: Tx,
  feed: Feed,
  source: Source,
  externalKey: string,
): Promise<RunWarning | null> {
  // A redirect must not carry a password to a host that the person never gave it to, nor lose it.
  const hasPassword = source.credentialId !== null || hasUserinfo(feed.externalKey);
  if (hasPassword && originOf(externalKey) !== originOf(feed.externalKey)) {
    return {
      code: "redirect_not_adopted",
      message: `The feed moved to ${externalKey}, another site. Its credentials are not sent there; change the address yourself if you trust it.`,
    };
  }
  const rival = await tx.feed.findFirst({
    where: {
      workspaceId: feed.workspaceId,
      sourceId: feed.sourceId,
      externalKey,
      id: { not: feed.id },
      state: { not: "deleting" },
    },
    select: { id: true },
  });
  if (!rival) return null;
  return {
    code: "redirect_not_adopted",
    message: `The feed moved to ${externalKey}, which is another feed of this source. One of the two can be deleted.`,
  };
}

/** The vault's part of a feed's new address. @returns the credential to point to, or null. */
export async function moveSecret(
  tx: Tx,
  feed: Pick<Feed, "workspaceId" | "credentialId">,
  secretUrl: string | null,
): Promise<string | null> {
  if (secretUrl !== null) {
    return saveCredential(
      tx,
      feed.workspaceId,
      { type: "url", url: secretUrl },
      feed.credentialId ?? undefined,
    );
  }
  if (feed.credentialId !== null) await deleteCredential(tx, feed.workspaceId, feed.credentialId);
  return null;
}

function hasUserinfo(url: string): boolean {
  return URL.canParse(url) && new URL(url).username !== "";
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
