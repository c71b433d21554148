import { getAdapter } from "@/adapters/registry";
import type { FeedError } from "@/server/feeds/feed-shape";

/** What a look for new feeds found. The counts sum to the feeds that the upstream offered. */
export type LookResult = {
  /** At most 20: see add-found-feeds.ts. */
  added: { feedId: string; name: string }[];
  /** Were there already. */
  known: number;
  /** Left out, deleted or moved by a person. */
  refused: number;
  /** On another site than the source's feeds, which its credentials were not given for. */
  elsewhere: number;
  /** New, but more than are added at once. */
  waiting: number;
  /** Whose key cannot be a feed's. */
  unusable: number;
};

/** How a source looks for feeds that its upstream offers later. */
export type ApiNewFeeds = {
  /** Can it be looked for them at all? */
  isPossible: boolean;
  /** Is it known where to look, so that it can be done right now? */
  isReady: boolean;
  /** Are they added by themselves? */
  isOn: boolean;
  /** Where it was connected and is looked again; secrets masked. */
  address: string | null;
  lastLookAt: string | null;
  nextLookAt: string | null;
  /** A look is under way. */
  isLooking: boolean;
  /** Why the last look went wrong; null when it did not. */
  error: FeedError | null;
  /** Of the last look that went well. */
  result: LookResult | null;
};

export type LookRow = {
  type: string;
  runsOn: "cloud" | "agent" | "api";
  addsNewFeeds: boolean;
  lookAddress: string | null;
  lastLookAt: Date | null;
  nextLookAt: Date | null;
  isLooking: boolean;
  lookError: unknown;
  lookResult: unknown;
};

/** May feeds of such a source appear later, and is it this server that would look? */
export function canLook({ type, runsOn }: Pick<LookRow, "type" | "runsOn">): boolean {
  const adapter = getAdapter(type);
  return runsOn === "cloud" && adapter?.discover !== undefined && adapter.discoversMany === true;
}

/** An adapter that is asked by address needs one; others' settings say it all. */
export function needsAddress(type: string): boolean {
  return getAdapter(type)?.externalKeyIsUrl === true;
}

export function toNewFeeds(row: LookRow, isPaused: boolean): ApiNewFeeds {
  return {
    isPossible: canLook(row),
    isReady: canLook(row) && (row.lookAddress !== null || !needsAddress(row.type)),
    isOn: row.addsNewFeeds,
    address: row.lookAddress,
    lastLookAt: row.lastLookAt?.toISOString() ?? null,
    // What is paused is not looked at, whatever the column still says.
    nextLookAt: (row.addsNewFeeds && !isPaused && row.nextLookAt?.toISOString()) || null,
    isLooking: row.isLooking,
    // Written by look-for-feeds.ts as these very shapes.
    error: row.lookError as FeedError | null,
    result: row.lookResult as LookResult | null,
  };
}
