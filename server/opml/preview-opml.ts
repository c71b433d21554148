import { maskUrl } from "@/sdk/mask-url";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { judgeOutlines, type KnownFeed } from "./judge-outlines";
import { parseOpml } from "./parse-opml";

export type OpmlPreviewItem = {
  /** Place in the file. */
  index: number;
  /** As `opml.import` wants it, secrets and all; empty where there is nothing to import. Not for showing. */
  url: string;
  /** For showing: secrets masked. */
  shownUrl: string;
  title: string | null;
  /** Folders from the outside in. */
  groups: string[];
  status: "new" | "duplicate" | "invalid";
  /** Why not, for people; null when new. */
  reason: string | null;
  known: KnownFeed | null;
};

export type OpmlPreview = {
  title: string | null;
  items: OpmlPreviewItem[];
  counts: { new: number; duplicate: number; invalid: number };
};

/**
 * What an OPML file would bring. Nothing is stored; the file goes back and forth only here, later calls
 * take the feeds that were chosen.
 *
 * @throws AppError invalid_request for what is no OPML or too big.
 */
export async function previewOpml(
  db: Db,
  caller: Caller,
  { base64 }: { base64: string },
): Promise<OpmlPreview> {
  const { title, outlines } = parseOpml(Buffer.from(base64, "base64"));
  const judged = await judgeOutlines(db, caller, outlines);
  const items = outlines.map((outline, index): OpmlPreviewItem => {
    const verdict = judged[index];
    if (!verdict) throw new Error("an outline without a verdict");
    return {
      index,
      url: verdict.status === "new" ? verdict.url : "",
      shownUrl: maskUrl(verdict.url),
      title: outline.title,
      groups: outline.groups,
      status: verdict.status,
      reason: verdict.status === "new" ? null : verdict.reason,
      known: verdict.status === "duplicate" ? verdict.known : null,
    };
  });
  const count = (status: OpmlPreviewItem["status"]) => items.filter((item) => item.status === status).length;
  return {
    title,
    items,
    counts: { new: count("new"), duplicate: count("duplicate"), invalid: count("invalid") },
  };
}
