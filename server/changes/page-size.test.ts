import { expect, it } from "vitest";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { parsePage } from "./pull-changes";
import { beginWalk, pageBody, readChanges } from "./read-changes";

const t = useDatabase();
const MiB = 1024 * 1024;

it.each([
  ["addresses", 20, () => ({ url: `data:,${"x".repeat(MiB)}` })],
  ["authors", 20, () => ({ author: "x".repeat(MiB) })],
  ["external ids", 1_000, (n: number) => ({ id: `${n}-${"x".repeat(8_000)}`, title: "x".repeat(3_000) })],
  ["metadata that compresses well", 200, () => ({ metadata: { note: "x".repeat(60_000) } })],
])("ends a page early when its documents have large %s", async (_, count, make) => {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(t.db, caller);
  const documents = Array.from({ length: count }, (__, n) => ({ id: `${n}`, ...make(n) }));
  for (let at = 0; at < documents.length; at += 10) {
    await ingestDocuments(t.db, caller, { feedId, documents: documents.slice(at, at + 10) });
  }
  const walk = beginWalk(caller, { limit: 1_000 });
  const body = pageBody(walk, await readChanges(t.db, walk));
  expect(body.length).toBeLessThan(10 * MiB);
  const page = parsePage(body);
  expect(page.hasMore).toBe(true);
  expect(page.changes.length).toBeGreaterThan(5);
});
