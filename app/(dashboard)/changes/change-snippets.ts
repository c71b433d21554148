import { TOKEN_PLACEHOLDER } from "@/app/(dashboard)/tokens/push-snippets";

export type Start = "beginning" | "now" | "here";

type Pull = {
  baseUrl: string;
  sourceId?: string;
  feedId?: string;
  /** Null: from the beginning. */
  cursor: string | null;
};

/** The name under which a copy of the command is seen among the consumers. */
export const EXAMPLE_CONSUMER = "my-copy";

/** A request for any POSIX shell. Single quotes keep the `&`; ids and cursors hold none. */
export function pullSnippet({ baseUrl, sourceId, feedId, cursor }: Pull): string {
  const query = new URLSearchParams({ limit: "100" });
  if (cursor !== null) {
    query.set("cursor", cursor);
    query.set("wait", "25");
  }
  if (sourceId) query.set("sourceId", sourceId);
  if (feedId) query.set("feedId", feedId);
  query.set("consumer", EXAMPLE_CONSUMER);
  return [
    `curl -sS '${baseUrl}/api/v1/changes?${query}' \\`,
    `  -H 'Authorization: Bearer ${TOKEN_PLACEHOLDER}'`,
  ].join("\n");
}

/** The whole loop with the client package. */
export function clientSnippet({ baseUrl, sourceId, feedId }: Omit<Pull, "cursor">): string {
  const filter = [sourceId && `  sourceId: "${sourceId}",`, feedId && `  feedId: "${feedId}",`].filter(
    Boolean,
  );
  return [
    `import { followChanges } from "@tidemark/client";`,
    `import { createFileStore } from "@tidemark/client/node";`,
    "",
    "await followChanges({",
    `  url: "${baseUrl}",`,
    `  token: process.env.TIDEMARK_TOKEN ?? "",`,
    `  consumer: "${EXAMPLE_CONSUMER}",`,
    ...filter,
    `  store: createFileStore("position.json"),`,
    "  apply(changes) {",
    "    for (const change of changes) console.log(change.seq, change.op, change.documentId);",
    "  },",
    "});",
  ].join("\n");
}
