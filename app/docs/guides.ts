/** The guides that this server shows, in the order of reading. `file` is from the project's root. */
export const GUIDES = [
  { name: "authentication", title: "Authentication", file: "docs/authentication.md" },
  { name: "ingest", title: "Ingest", file: "docs/ingest.md" },
  { name: "pushing", title: "Push documents", file: "docs/pushing.md" },
  { name: "following-changes", title: "Follow the changes", file: "docs/following-changes.md" },
  { name: "client", title: "JavaScript client", file: "sdk/README.md" },
  { name: "graphql", title: "GraphQL", file: "docs/graphql.md" },
  { name: "webhooks", title: "Webhooks", file: "docs/webhooks.md" },
  { name: "errors", title: "Errors", file: "docs/errors.md" },
  { name: "limits", title: "Limits", file: "docs/limits.md" },
  { name: "metrics", title: "Metrics", file: "docs/metrics.md" },
  { name: "versioning", title: "Versions", file: "docs/versioning.md" },
  { name: "write-an-adapter", title: "Write an adapter", file: "docs/write-an-adapter.md" },
] as const;

export type Guide = (typeof GUIDES)[number];

/** Shown otherwise: the reference itself, and the list that stands beside every guide. */
const SHOWN_AT: Record<string, string> = {
  "docs/api.md": "/docs",
  "docs/README.md": "/docs",
  ...Object.fromEntries(GUIDES.map(({ name, file }) => [file, `/docs/${name}`])),
};

/**
 * Where a guide's link leads on this server.
 *
 * @param from the file it stands in.
 * @returns null for a file of the project that no page shows.
 */
export function resolveLink(from: string, href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const target = new URL(href, `file:///${from}`);
  const shown = SHOWN_AT[target.pathname.slice(1)];
  return shown ? shown + target.hash : null;
}
