import { stripIllegal } from "@/adapters/rss/xml-entities";
import { hasSecrets, MASK } from "@/sdk/mask-url";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";

type Row = {
  externalKey: string;
  title: string;
  groups: unknown;
  hasSecret: boolean;
};

type Folder = { folders: Map<string, Folder>; feeds: Row[] };

/**
 * Every feed that a reader can subscribe to (rss, and Substack publications by their own feeds) as OPML
 * 2.0, in the folders of its import. Secrets are not in it: such
 * an address is masked and marked with `tidemark:masked="true"`, and an import says so.
 */
export async function exportOpml(db: Db, { workspaceId }: Caller, now: Date = new Date()): Promise<string> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT CASE WHEN s.type = 'substack' THEN rtrim(f.external_key, '/') || '/feed' ELSE f.external_key END AS "externalKey", f.credential_id IS NOT NULL AS "hasSecret", f.config->'groups' AS groups,
           coalesce(f.name, f.upstream_title, s.name) AS title
      FROM feeds f JOIN sources s ON s.workspace_id = f.workspace_id AND s.id = f.source_id
     WHERE f.workspace_id = ${workspaceId}::int AND s.type IN ('rss', 'substack') AND f.state <> 'deleting' AND s.state <> 'deleting'
     ORDER BY lower(coalesce(f.name, f.upstream_title, s.name)), f.id`;
  const root: Folder = { folders: new Map(), feeds: [] };
  for (const row of rows) folderOf(root, row.groups).feeds.push(row);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0" xmlns:tidemark="https://tidemark.example/opml">',
    `  <head><title>Tidemark feeds</title><dateCreated>${now.toUTCString()}</dateCreated></head>`,
    "  <body>",
    ...write(root, "    "),
    "  </body>",
    "</opml>",
    "",
  ].join("\n");
}

function folderOf(root: Folder, groups: unknown): Folder {
  let folder = root;
  for (const name of Array.isArray(groups) ? groups : []) {
    if (typeof name !== "string") break;
    let inner = folder.folders.get(name);
    if (!inner) {
      inner = { folders: new Map(), feeds: [] };
      folder.folders.set(name, inner);
    }
    folder = inner;
  }
  return folder;
}

function write(folder: Folder, indent: string): string[] {
  const lines: string[] = [];
  for (const [name, inner] of folder.folders) {
    lines.push(
      `${indent}<outline text="${escapeXml(name)}">`,
      ...write(inner, `${indent}  `),
      `${indent}</outline>`,
    );
  }
  for (const { externalKey, title, hasSecret } of folder.feeds) {
    const isMasked = hasSecret || externalKey.includes(MASK) || hasSecrets(externalKey);
    // The hash behind "#" tells feeds with different secrets apart in here; elsewhere it means nothing.
    const url = isMasked ? externalKey.replace(/#.*$/s, "") : externalKey;
    const mark = isMasked ? ' tidemark:masked="true"' : "";
    const name = escapeXml(title);
    lines.push(
      `${indent}<outline type="rss" text="${name}" title="${name}" xmlUrl="${escapeXml(url)}"${mark}/>`,
    );
  }
  return lines;
}

function escapeXml(text: string): string {
  return stripIllegal(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\n\r\t]/g, " ");
}
