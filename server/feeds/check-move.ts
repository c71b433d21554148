import type { ConnectionCheck, JsonObject } from "@/sdk/adapter";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { openSourceCredentials } from "@/server/runs/open-run";
import { askContext, translateFailure } from "@/server/sources/ask-upstream";
import { checkConfig } from "@/server/sources/check-config";
import { feedNotFound, requireFeed } from "./get-feed";
import { findRival, toTarget } from "./move-feed";
import { type MoveRule, moveRule } from "./move-rule";

export type MoveCheck = {
  /** What is there; null where the adapter has no test, or where nothing would change. */
  found: ConnectionCheck | null;
  /** The address is the feed's already. */
  isSame: boolean;
  rule: MoveRule;
  /** Another feed of the source that has this address. */
  rivalId: string | null;
};

/**
 * Looks what is at an address before a feed moves there, with the source's credentials. Nothing is stored.
 *
 * @throws AppError feed_not_found; conflict for a source that only gets pushes; invalid_request;
 *   upstream_failed with what to do.
 */
export async function checkMove(
  db: Db,
  caller: Caller,
  { feedId, externalKey }: { feedId: string; externalKey: string },
  signal?: AbortSignal,
): Promise<MoveCheck> {
  await requireFeed(db, caller, feedId);
  const { workspaceId } = caller;
  const feed = await db.feed.findUnique({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    include: { source: true },
  });
  if (!feed) throw feedNotFound();
  const { adapter, storedKey } = toTarget(feed.source, externalKey);
  const rule = moveRule(feed, externalKey);
  const rival = await findRival(db, feed, storedKey);
  const isSame = storedKey === feed.externalKey;
  const { checkConnection: check } = adapter;
  if (isSame || rival || !check) return { found: null, isSame, rule, rivalId: rival?.id ?? null };

  const config = adapter.config.parse(checkConfig(adapter, feed.source.config as Record<string, unknown>));
  const credentials = await openSourceCredentials(db, workspaceId, feed.source.credentialId);
  const asked = {
    id: feedId,
    externalKey: storedKey,
    url: externalKey,
    name: feed.name,
    config: feed.config as JsonObject,
    state: null,
  };
  const context = askContext(config, credentials, signal);
  const found = await translateFailure(() => check.call(adapter, { ...context, feed: asked }));
  return { found, isSame, rule, rivalId: null };
}
