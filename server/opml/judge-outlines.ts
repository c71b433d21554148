import { hasSecrets, MASK, maskUrl } from "@/sdk/mask-url";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { formerExternalKeys, splitSecretUrl } from "@/server/vault/feed-url";
import type { OpmlOutline } from "./parse-opml";

export type KnownFeed = { feedId: string; sourceId: string; name: string };

export type Judged =
  | { status: "new"; url: string }
  /** `known` null: it stands earlier in the same file. */
  | { status: "duplicate"; url: string; known: KnownFeed | null; reason: string }
  | { status: "invalid"; url: string; reason: string };

/** `rss` feeds are known by their address, `substack` ones by the publication whose feed it is. */
const ADDRESS_TYPES = ["rss", "substack"];

/**
 * Which of these feeds the workspace lacks. Two addresses are the same feed when they differ in the
 * scheme or in spelling alone (case of the host, default port); secrets are compared by their keyed hash.
 * One query.
 */
export async function judgeOutlines(
  db: Db,
  { workspaceId }: Caller,
  outlines: Pick<OpmlOutline, "url">[],
): Promise<Judged[]> {
  const addresses = outlines.map((outline) => readAddress(outline.url));
  const spellings = addresses.map((address) => ("url" in address ? spellingsOf(address.url) : []));
  const known = await findKnown(db, workspaceId, [...new Set(spellings.flat())]);
  const seen = new Set<string>();
  return addresses.map((address, i): Judged => {
    if (!("url" in address)) return { status: "invalid", url: address.shown, reason: address.reason };
    const { url } = address;
    const match = (spellings[i] ?? []).map((key) => known.get(key)).find((feed) => feed !== undefined);
    if (match) return { status: "duplicate", url, known: match, reason: `Already here as "${match.name}".` };
    const identity = foldAddress(url);
    if (seen.has(identity))
      return { status: "duplicate", url, known: null, reason: "Listed earlier in this file." };
    seen.add(identity);
    return { status: "new", url };
  });
}

/** Equal for addresses that are the same feed. */
export function foldAddress(url: string): string {
  const parsed = new URL(url);
  parsed.hash = "";
  return parsed.href.replace(/^http:/, "https:");
}

function readAddress(written: string): { url: string } | { shown: string; reason: string } {
  const text = written
    .trim()
    .replace(/^feed:(\/\/)?(?=https?:)/i, "")
    .replace(/^feed:\/\//i, "http://");
  const shown = maskUrl(text).slice(0, 500);
  if (text === "") return { shown, reason: "It has no address." };
  if (Buffer.byteLength(text) > 8192) return { shown, reason: "The address is longer than 8,192 bytes." };
  // Control characters and lone surrogates too: a parser drops them, a database refuses them.
  if (!URL.canParse(text) || /[\p{Cc}\p{Cs}\s]/u.test(text))
    return { shown, reason: "This is not an address." };
  const { protocol } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:")
    return { shown, reason: "Only http and https addresses can be read." };
  if (hasMask(text))
    return {
      shown,
      reason: "Its secret was masked when the file was exported. Add this feed by hand with its key.",
    };
  return { url: text };
}

/** `***` where a secret belongs: the file came from an export that hides them. */
function hasMask(url: string): boolean {
  const { username, searchParams } = new URL(url);
  return username.replace(/%2a/gi, "*") === MASK || [...searchParams.values()].includes(MASK);
}

/** Every externalKey under which the feed may be stored. */
function spellingsOf(url: string): string[] {
  const { href } = new URL(url);
  const forms = [url, href].flatMap((form) => [
    form,
    form.replace(/^https?:/i, "https:"),
    form.replace(/^https?:/i, "http:"),
  ]);
  const { origin, pathname } = new URL(url);
  if (pathname === "/feed") {
    const folded = origin.replace(/^https?:/, "https:");
    forms.push(folded, `${folded}/`);
  }
  return [...new Set(forms)].flatMap((form) => {
    const { externalKey } = splitSecretUrl(form);
    return hasSecrets(form)
      ? [externalKey, ...formerExternalKeys(form)]
      : [externalKey, externalKey.replace(/#.*$/s, "")];
  });
}

async function findKnown(db: Db, workspaceId: number, keys: string[]): Promise<Map<string, KnownFeed>> {
  if (keys.length === 0) return new Map();
  // By hash, as the index on feeds spells it; the plain comparison decides.
  const rows = await db.$queryRaw<(KnownFeed & { externalKey: string })[]>`
    SELECT f.id AS "feedId", f.source_id AS "sourceId", f.external_key AS "externalKey",
           left(coalesce(f.name, f.upstream_title, f.external_key), 300) AS name
      FROM feeds f JOIN sources s ON s.workspace_id = f.workspace_id AND s.id = f.source_id
     WHERE f.workspace_id = ${workspaceId}::int AND f.state <> 'deleting' AND s.state <> 'deleting'
       AND s.type = ANY(${ADDRESS_TYPES}::text[])
       AND f.external_key = ANY(${keys}::text[])`;
  return new Map(rows.map(({ externalKey, ...feed }) => [externalKey, feed]));
}
