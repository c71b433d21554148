import type { Query } from "@tanstack/react-query";
import type { LiveHint } from "@/server/live/schema";

/** What stands in a query's key: `feeds.list` and its input. */
type Asked = { path: string; input: Record<string, unknown> };

/** Which kinds of change make the answers of a router old, whatever was asked. */
const ROUTERS: Record<string, readonly LiveHint["kind"][]> = {
  sources: ["source", "feed"],
  feeds: ["feed", "run"],
  documents: ["documents"],
  changes: ["documents", "workspace"],
  runs: ["run"],
  tokens: ["token"],
  webhooks: ["webhook"],
  people: ["person"],
  workspace: ["workspace", "person"],
  overview: ["run", "feed", "source"],
};

/** Do these hints make what this query answered old? */
export function isTouched(query: Pick<Query, "queryKey">, hints: readonly LiveHint[]): boolean {
  const asked = readKey(query.queryKey);
  if (!asked) return false;
  return hints.some((hint) => touches(hint, asked));
}

function touches({ kind, ids }: LiveHint, { path, input }: Asked): boolean {
  const [router = ""] = path.split(".");
  if (kind === "all") return router in ROUTERS;
  if (!ROUTERS[router]?.includes(kind)) return false;
  if (ids === null) return true;
  // A question about one thing stays answered while other things change.
  const one = oneAskedAbout(kind, path, input);
  return one === null || ids.includes(one);
}

function oneAskedAbout(kind: LiveHint["kind"], path: string, input: Asked["input"]): string | null {
  if (kind === "run" && path === "runs.get") return text(input.runId);
  // A feed's own answers name it; a run's hint names no feed, so it touches them all.
  if (kind === "feed" && path.startsWith("feeds.")) return text(input.feedId);
  // The hints of documents name the feeds they belong to.
  if (kind === "documents" && path === "documents.list") return text(input.feedId);
  if (kind === "source" && path === "sources.get") return text(input.sourceId);
  return null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** tRPC's keys are `[["feeds", "list"], { input, type }]`. */
function readKey(key: readonly unknown[]): Asked | null {
  const [path, options] = key;
  if (!Array.isArray(path)) return null;
  const input = (options as { input?: unknown } | undefined)?.input;
  return {
    path: path.join("."),
    input: typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {},
  };
}
