import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createToken } from "@/server/access/tokens";
import { backUpStore } from "@/server/backup/back-up-store";
import { restoreStore } from "@/server/backup/restore-store";
import { waitersFor } from "@/server/changes/waiters";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "./database";
import { createCaller, createFeed } from "./factories";
import { useHttpServer } from "./http-server";
import { waitUntil } from "./wait-until";

const t = useDatabase();
const http = useHttpServer(t);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-wait-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it("tells polls that wait while the store is put back, and takes pushes that came in between", async () => {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(t.db, caller);
  const { token } = await createToken(t.db, caller, {
    name: "mirror",
    scopes: ["changes:read", "documents:write"],
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  await ingestDocuments(t.db, caller, { feedId, documents: [{ id: "a", title: "Ebb" }] as never });
  const file = join(directory, "store.backup");
  await backUpStore(t.url, file);
  const now = await (await fetch(`${http.origin}/changes?cursor=now`, { headers })).json();

  const polls = Array.from({ length: 10 }, async () => {
    const response = await fetch(`${http.origin}/changes?wait=50&cursor=${now.cursor}`, { headers });
    return { status: response.status, body: await response.json(), at: performance.now() };
  });
  await waitUntil(() => waitersFor(t.db).count(caller.workspaceId) === 10, "ten polls wait");
  let stop = false;
  const statuses = new Map<number, number>();
  const pusher = (async () => {
    while (!stop) {
      const response = await fetch(`${http.origin}/feeds/${feedId}/documents`, {
        method: "POST",
        headers,
        // Writes a run, but no change: what the polls hear of must be the restore.
        body: JSON.stringify({ documents: [{ id: "b", deleted: true }] }),
      });
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  })();
  await restoreStore(t.url, file, { safetyFile: join(directory, "safety.backup") });
  const restoredAt = performance.now();
  for (const { status, body, at } of await Promise.all(polls)) {
    expect(status).toBe(410);
    expect(body).toMatchObject({ code: "cursor_expired", reason: "epoch" });
    expect(at - restoredAt).toBeLessThan(3_000);
  }
  const before = statuses.get(200) ?? 0;
  await waitUntil(() => (statuses.get(200) ?? 0) > before + 20, "pushes are taken again");
  stop = true;
  await pusher;
  // Cut off or made to wait, and told so; never an error that nobody can explain.
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const after = await (await fetch(`${http.origin}/changes`, { headers })).json();
  expect(after.changes).toMatchObject([{ externalId: "a" }]);
}, 60_000);
