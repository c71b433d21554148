import { beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { lookNow } from "@/server/new-feeds/look-now";
import { startRun } from "@/server/runs/start-run";
import { createSource } from "@/server/sources/create-source";
import { openCredential } from "@/server/vault/credentials";
import { useAnnouncingSite } from "@/test/announcing-site";
import { useDatabase } from "@/test/database";
import { LOOPBACK } from "@/test/run-feed";
import { addFeed } from "./add-feed";
import { checkMove } from "./check-move";
import { moveFeed } from "./move-feed";

// Read at the first env(): the upstream of these tests is this very machine.
process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.1/32";

const t = useDatabase();
const site = useAnnouncingSite(t);
const { upstream } = site;
let caller: Caller;
let feedId: string;
let sourceId: string;

const CURSOR = "2026-06-14T09:00:00.000Z";

beforeEach(async () => {
  caller = site.caller;
  const source = await site.connect({ isOn: false });
  sourceId = source.id;
  feedId = source.feeds[0]?.id ?? "";
  await ingestDocuments(t.db, caller, { feedId, cursor: CURSOR, documents: [{ id: "a" }, { id: "b" }] });
});

const row = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
const move = (externalKey: string, position: "keep" | "restart" = "keep") =>
  moveFeed(t.db, caller, { feedId, externalKey, position });
const here = (path: string) => upstream.url(path);

describe("a feed's new address", () => {
  it("keeps its documents and its position, and lets go of what belonged to the old address", async () => {
    await t.db.feed.updateMany({
      where: { id: feedId },
      data: {
        adapterState: { etag: '"v"' },
        error: { origin: "upstream", code: "gone", message: "Gone.", detail: null, retryable: false, at: "" },
        state: "disabled",
        consecutiveFailures: 7,
        failingSince: new Date(),
        redirectTo: "https://else.example/",
        redirectRuns: 2,
        nextSyncAt: null,
      },
    });
    const feed = await move(here("/new.xml"));
    expect(feed).toMatchObject({
      externalKey: here("/new.xml"),
      cursor: CURSOR,
      documentCount: 2,
      status: "active",
      error: null,
      consecutiveFailures: 0,
    });
    expect(feed.nextSyncAt).not.toBeNull();
    expect(await row()).toMatchObject({ adapterState: null, redirectTo: null, redirectRuns: 0 });
    const entry = await t.db.auditEntry.findFirstOrThrow({
      where: { targetId: feedId, action: "feed.move" },
    });
    expect(entry.detail).toMatchObject({ from: here("/tides.xml"), to: here("/new.xml") });
  });

  it("starts over where a person says so, recorded like any reset; no document goes", async () => {
    await move(here("/new.xml"), "restart");
    expect(await row()).toMatchObject({ cursor: null, documentCount: 2 });
    const moves = await t.db.cursorTransition.findMany({ where: { feedId, outcome: "reset" } });
    expect(moves).toMatchObject([{ from: CURSOR, to: null, reason: "The feed's address was changed." }]);
  });

  it.each(["idSet", "token"] as const)(
    "has to start over where the position is a %s of the old one",
    async (watermark) => {
      await t.db.feed.updateMany({ where: { id: feedId }, data: { watermark, cursor: "41" } });
      await expect(move(here("/new.xml"))).rejects.toMatchObject({
        code: "invalid_request",
        info: { fields: [{ path: "position" }] },
      });
      expect(await row()).toMatchObject({ cursor: "41", externalKey: here("/tides.xml") });
      await move(here("/new.xml"), "restart");
      expect(await row()).toMatchObject({ cursor: null });
    },
  );

  it("keeps any position when only its secret changes, and the vault follows", async () => {
    await t.db.feed.updateMany({ where: { id: feedId }, data: { watermark: "token", cursor: "t" } });
    await move(here("/new.xml?key=first-secret"), "restart");
    await t.db.feed.updateMany({ where: { id: feedId }, data: { cursor: "t2" } });
    await move(here("/new.xml?key=second-secret"), "restart");
    const feed = await row();
    expect(feed).toMatchObject({ cursor: "t2" });
    expect(feed.externalKey).not.toContain("secret");
    expect(await openCredential(t.db, caller.workspaceId, feed.credentialId ?? "")).toMatchObject({
      url: here("/new.xml?key=second-secret"),
    });
    await move(here("/open.xml"), "restart");
    expect(await t.db.credential.count({ where: { workspaceId: caller.workspaceId } })).toBe(0);
  });

  it("leaves a person's pause alone, but not one by failures", async () => {
    await t.db.feed.updateMany({ where: { id: feedId }, data: { state: "paused", pausedBy: "person" } });
    expect(await move(here("/a.xml"))).toMatchObject({ status: "paused", nextSyncAt: null });
    await t.db.feed.updateMany({ where: { id: feedId }, data: { pausedBy: "failures" } });
    expect(await move(here("/b.xml"))).toMatchObject({ status: "active" });
  });

  it("waits for the run under way, and is not another feed's of the source", async () => {
    const run = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
    await expect(move(here("/new.xml"))).rejects.toMatchObject({ code: "run_active" });
    await t.db.syncRun.updateMany({ where: { id: run.runId }, data: { status: "cancelled" } });

    site.announced = ["/tides.xml", "/storms.xml"];
    await lookNow(t.db, caller, { sourceId }, LOOPBACK);
    await expect(move(here("/storms.xml"))).rejects.toMatchObject({ code: "conflict" });
    expect(await checkMove(t.db, caller, { feedId, externalKey: here("/storms.xml") })).toMatchObject({
      rivalId: expect.stringMatching(/^feed_/),
      found: null,
    });
  });

  it("is not undone by a page that still names the old one", async () => {
    await move(here("/new.xml"));
    expect(await lookNow(t.db, caller, { sourceId }, LOOPBACK)).toMatchObject({ added: [], refused: 1 });
  });

  it("is refused for pushes, and for what is no address", async () => {
    await expect(move("not an address")).rejects.toMatchObject({
      info: { fields: [{ path: "externalKey" }] },
    });
    const { source } = await createSource(t.db, caller, {
      type: "api",
      name: "Readings",
      feeds: [{ externalKey: "default" }],
    });
    const pushed = { feedId: source.feeds[0]?.id ?? "", externalKey: "other", position: "keep" as const };
    await expect(moveFeed(t.db, caller, pushed)).rejects.toMatchObject({ code: "conflict" });
    // A program's own adapter pushes, too, and finds its feed by the key.
    await t.db.source.updateMany({ where: { id: sourceId }, data: { runsOn: "api" } });
    await expect(move(here("/new.xml"))).rejects.toMatchObject({ code: "conflict" });
    await expect(checkMove(t.db, caller, { feedId, externalKey: here("/new.xml") })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});

describe("the check before", () => {
  it("says what is there and what becomes of the position, and stores nothing", async () => {
    const before = await row();
    const check = (path: string) => checkMove(t.db, caller, { feedId, externalKey: here(path) });
    expect(await check("/new.xml")).toMatchObject({
      isSame: false,
      rule: "choice",
      found: { feedTitle: "/new.xml" },
    });
    expect(await check("/tides.xml")).toMatchObject({ isSame: true, found: null });
    upstream.answer = (_, response) => response.writeHead(404).end("no");
    await expect(check("/gone.xml")).rejects.toMatchObject({ code: "upstream_failed" });
    expect(await row()).toEqual(before);
  });

  it("tells nobody, nor the log, the secret of an address that two feeds want at once", async () => {
    const { feed } = await addFeed(t.db, caller, { sourceId, externalKey: here("/rival.xml") });
    const secret = here("/wanted.xml?key=s3cr3t-value");
    const ends = await Promise.allSettled([
      move(secret),
      moveFeed(t.db, caller, { feedId: feed.id, externalKey: secret, position: "keep" }),
    ]);
    const [refusal, ...others] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ code: "conflict" });
    expect(JSON.stringify(refusal)).not.toContain("s3cr3t-value");
  });
});
