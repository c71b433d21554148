import { expect, it } from "vitest";
import { openCredential, saveCredential } from "@/server/vault/credentials";
import { splitSecretUrl } from "@/server/vault/feed-url";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed, runFeed } from "@/test/run-feed";

const t = useDatabase();

async function setUp(externalKey = "http://old.example/feed") {
  const caller = await createCaller(t.db);
  const feed = await createSyncedFeed(t.db, caller, { externalKey });
  const run = (movedTo?: string, fails = false) =>
    runFeed(
      t.db,
      caller,
      feed.id,
      anAdapter(
        async () => {
          if (fails) throw new Error("HTML instead of a feed");
          return { documents: [{ id: "a" }], state: { etag: '"v"' }, ...(movedTo ? { movedTo } : {}) };
        },
        { externalKeyIsUrl: true },
      ),
    );
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feed.id } });
  return { caller, feed, run, feedRow };
}
const codes = (run: { warnings: unknown }) => (run.warnings as { code: string }[]).map(({ code }) => code);

it("adopts a permanent redirect after three successful runs through it, and drops the validators", async () => {
  const { caller, feed, run, feedRow } = await setUp();
  await run("https://new.example/feed");
  await run("https://new.example/feed");
  await expect(feedRow()).resolves.toMatchObject({
    externalKey: "http://old.example/feed",
    redirectRuns: 2,
    adapterState: { etag: '"v"' },
  });
  expect(codes(await run("https://new.example/feed"))).toContain("redirect_adopted");
  await expect(feedRow()).resolves.toMatchObject({
    externalKey: "https://new.example/feed",
    redirectTo: null,
    redirectRuns: 0,
    adapterState: null,
    documentCount: 1,
  });
  await expect(
    t.db.auditEntry.findMany({ where: { workspaceId: caller.workspaceId } }),
  ).resolves.toMatchObject([{ action: "feed.redirect_adopted", targetId: feed.id }]);
});

it("begins to count anew when the redirect changes or goes away, and not for failed runs", async () => {
  const { run, feedRow } = await setUp();
  await run("https://new.example/feed");
  await run("https://new.example/feed");
  await run("https://elsewhere.example/feed");
  await expect(feedRow()).resolves.toMatchObject({
    redirectTo: "https://elsewhere.example/feed",
    redirectRuns: 1,
  });
  await run(undefined, true);
  await expect(feedRow()).resolves.toMatchObject({ redirectRuns: 1 });
  await run();
  await expect(feedRow()).resolves.toMatchObject({
    redirectTo: null,
    redirectRuns: 0,
    externalKey: "http://old.example/feed",
  });
});

it("does not adopt an address that is another feed of the source, and says so once", async () => {
  const { caller, feed, run, feedRow } = await setUp();
  await t.db.feed.create({
    data: {
      workspaceId: caller.workspaceId,
      id: "feed_rival",
      sourceId: feed.sourceId,
      externalKey: "https://new.example/feed",
    },
  });
  const warned = [];
  for (let i = 0; i < 4; i += 1)
    warned.push(codes(await run("https://new.example/feed")).includes("redirect_not_adopted"));
  expect(warned).toEqual([false, false, true, false]);
  await expect(feedRow()).resolves.toMatchObject({ externalKey: "http://old.example/feed" });
});

it("moves a secret in the address into the vault; no row shows it", async () => {
  const { caller, feed, run, feedRow } = await setUp();
  const secret = "https://old.example/feed?key=first-secret";
  const credentialId = await saveCredential(t.db, caller.workspaceId, { type: "url", url: secret });
  await t.db.feed.updateMany({
    where: { id: feed.id },
    data: { credentialId, externalKey: splitSecretUrl(secret).externalKey },
  });
  for (let i = 0; i < 3; i += 1) await run("https://new.example/feed?key=second-secret");
  const row = await feedRow();
  expect(row.externalKey).toMatch(/^https:\/\/new\.example\/feed\?key=\*\*\*#/);
  await expect(openCredential(t.db, caller.workspaceId, row.credentialId ?? "")).resolves.toEqual({
    type: "url",
    url: "https://new.example/feed?key=second-secret",
  });
  const rows = await t.db.$queryRaw<{ text: string }[]>`
    SELECT f::text AS text FROM feeds f UNION ALL SELECT e::text FROM run_events e
    UNION ALL SELECT r::text FROM sync_runs r UNION ALL SELECT a::text FROM audit_entries a`;
  expect(rows.filter(({ text }) => text.includes("-secret"))).toEqual([]);
});

it("keeps a user name and password in the address within the site, and does not lose them elsewhere", async () => {
  const { caller, feed, run, feedRow } = await setUp();
  const secret = "https://ada:pass-word@old.example/feed";
  const credentialId = await saveCredential(t.db, caller.workspaceId, { type: "url", url: secret });
  const { externalKey } = splitSecretUrl(secret);
  await t.db.feed.updateMany({ where: { id: feed.id }, data: { credentialId, externalKey } });
  for (let i = 0; i < 3; i += 1) await run("https://new.example/feed");
  await expect(feedRow()).resolves.toMatchObject({ externalKey, credentialId });

  for (let i = 0; i < 3; i += 1) await run("https://old.example/moved");
  const row = await feedRow();
  expect(row.externalKey).toMatch(/^https:\/\/\*\*\*@old\.example\/moved#/);
  await expect(openCredential(t.db, caller.workspaceId, row.credentialId ?? "")).resolves.toMatchObject({
    url: "https://ada:pass-word@old.example/moved",
  });
});

it("does not carry the source's password to another site", async () => {
  const { caller, feed, run, feedRow } = await setUp();
  const credentialId = await saveCredential(t.db, caller.workspaceId, {
    type: "basic",
    username: "ada",
    password: "pass-word",
  });
  await t.db.source.updateMany({ where: { id: feed.sourceId }, data: { credentialId } });
  for (let i = 0; i < 3; i += 1) await run("https://new.example/feed");
  await expect(feedRow()).resolves.toMatchObject({ externalKey: "http://old.example/feed" });
});
