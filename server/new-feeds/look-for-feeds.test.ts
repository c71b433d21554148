import { beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { addFeed } from "@/server/feeds/add-feed";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { createSource } from "@/server/sources/create-source";
import { deleteSource } from "@/server/sources/delete-source";
import { getSource } from "@/server/sources/get-source";
import { pauseSource } from "@/server/sources/pause-source";
import type { CreateSourceInput } from "@/server/sources/schema";
import { updateSource } from "@/server/sources/update-source";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { LOOPBACK, useUpstream } from "@/test/run-feed";
import { MAX_ADDED } from "./add-found-feeds";
import { claimDueLooks, claimLook } from "./claim-looks";
import { lookForFeeds } from "./look-for-feeds";
import { lookNow } from "./look-now";
import { lookWhereDue } from "./look-where-due";

const t = useDatabase();
const upstream = useUpstream();
let caller: Caller;
/** Paths of the feeds that the site's page announces. */
let announced: string[] = [];

const RSS = (title: string) =>
  `<rss version="2.0"><channel><title>${title}</title><link>http://x/</link><description/></channel></rss>`;

beforeEach(async () => {
  caller = await createCaller(t.db);
  announced = ["/tides.xml"];
  upstream.requests.length = 0;
  upstream.answer = (request, response) => {
    const path = request.url ?? "/";
    if (path === "/" || path.startsWith("/?")) {
      const links = announced.map(
        (href) => `<link rel="alternate" type="application/rss+xml" href="${href}">`,
      );
      response.setHeader("content-type", "text/html").end(`<!doctype html><head>${links.join("")}</head>`);
    } else response.setHeader("content-type", "application/rss+xml").end(RSS(path));
  };
});

async function connect(newFeeds: CreateSourceInput["newFeeds"] = {}, input: Partial<CreateSourceInput> = {}) {
  const { source } = await createSource(t.db, caller, {
    type: "rss",
    name: "Harbour",
    feeds: [{ externalKey: upstream.url("/tides.xml") }],
    newFeeds: { isOn: true, address: upstream.url("/"), ...newFeeds },
    ...input,
  });
  return source;
}

const look = (sourceId: string) => lookNow(t.db, caller, { sourceId }, LOOPBACK);
const due = () => lookWhereDue(t.db, LOOPBACK);
const keysOf = async (sourceId: string) => {
  const feeds = await t.db.feed.findMany({ where: { sourceId }, orderBy: { createdAt: "asc" } });
  return feeds.map((feed) => new URL(feed.externalKey).pathname);
};

describe("looking for feeds that appear later", () => {
  it("adds what the site offers by now, says so, and records who did it", async () => {
    const source = await connect();
    announced.push("/storms.xml");
    expect(await due()).toBeGreaterThan(0);

    expect(await keysOf(source.id)).toEqual(["/tides.xml", "/storms.xml"]);
    const { newFeeds } = await getSource(t.db, caller, { sourceId: source.id });
    expect(newFeeds).toMatchObject({
      isOn: true,
      isPossible: true,
      isLooking: false,
      error: null,
      result: { added: [{ name: "/storms.xml" }], known: 1, refused: 0 },
    });
    expect(Date.parse(newFeeds.nextLookAt ?? "")).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const entry = await t.db.auditEntry.findFirstOrThrow({
      where: { workspaceId: caller.workspaceId, targetId: newFeeds.result?.added[0]?.feedId },
    });
    expect(entry).toMatchObject({ action: "feed.create", actor: { type: "scheduler" } });
    const feed = await t.db.feed.findFirstOrThrow({ where: { id: entry.targetId ?? "" } });
    expect(feed.nextSyncAt).not.toBeNull();
  });

  it("is quiet where it is off, and where the source is paused", async () => {
    const off = await connect({ isOn: false });
    const paused = await connect();
    await pauseSource(t.db, caller, { sourceId: paused.id });
    announced.push("/storms.xml");
    await due();
    expect(await keysOf(off.id)).toEqual(["/tides.xml"]);
    expect(await keysOf(paused.id)).toEqual(["/tides.xml"]);
    await expect(look(paused.id)).rejects.toMatchObject({ code: "conflict" });
    // Who asks once gets what there is, without turning it on.
    expect(await look(off.id)).toMatchObject({ added: [{ name: "/storms.xml" }] });
    expect((await getSource(t.db, caller, { sourceId: off.id })).newFeeds).toMatchObject({
      isOn: false,
      nextLookAt: null,
    });
  });

  it("adds nothing twice, under whatever scheme or slash the site names it", async () => {
    const source = await connect();
    announced = ["/tides.xml/", upstream.url("/tides.xml"), "/storms.xml", "/storms.xml/"];
    expect(await look(source.id)).toMatchObject({ added: [{}], known: 3 });
    expect(await look(source.id)).toMatchObject({ added: [], known: 4 });
    expect(await keysOf(source.id)).toHaveLength(2);
  });

  it("does not take a feed that moved for good for a second one", async () => {
    const source = await connect();
    const { answer } = upstream;
    upstream.answer = (request, response) =>
      request.url === "/tides.xml"
        ? response.writeHead(301, { location: "/moved.xml" }).end()
        : answer(request, response);
    expect(await look(source.id)).toMatchObject({ added: [], known: 1 });
  });

  it("leaves alone what is no longer offered, and what an unreachable site offers is unknown", async () => {
    const source = await connect();
    announced = ["/storms.xml"];
    await look(source.id);
    expect(await keysOf(source.id)).toEqual(["/tides.xml", "/storms.xml"]);
    upstream.answer = (_, response) => response.writeHead(500).end("broken");
    await expect(look(source.id)).rejects.toMatchObject({ code: "upstream_failed" });
    expect(await keysOf(source.id)).toEqual(["/tides.xml", "/storms.xml"]);
  });

  it("does not add back what a person left out or deleted, until someone adds it by hand", async () => {
    const source = await connect({ leftOut: [upstream.url("/storms.xml")] });
    announced.push("/storms.xml", "/fog.xml");
    expect(await look(source.id)).toMatchObject({ added: [{ name: "/fog.xml" }], refused: 1 });
    const [fog] = await t.db.feed.findMany({
      where: { externalKey: { endsWith: "fog.xml" }, sourceId: source.id },
    });
    await deleteFeed(t.db, caller, { feedId: fog?.id ?? "" });
    expect(await look(source.id)).toMatchObject({ added: [], refused: 2, known: 1 });

    const byHand = { sourceId: source.id, externalKey: upstream.url("/fog.xml") };
    const { feed } = await addFeed(t.db, caller, byHand);
    expect(await look(source.id)).toMatchObject({ added: [], refused: 1, known: 2 });
    await deleteFeed(t.db, caller, { feedId: feed.id });
    expect(await look(source.id)).toMatchObject({ added: [], refused: 2 });
  });

  it("adds a few at a time, whatever a site announces, and none to a source that is full", async () => {
    const source = await connect();
    const offered = Array.from({ length: 3_000 }, (_, i) => ({
      externalKey: upstream.url(`/flood-${i}.xml`),
      name: `Flood ${i}`,
    }));
    const claim = await claimLook(t.db, caller, source.id);
    const outcome = await lookForFeeds(t.db, caller, claim ?? never(), {
      ...LOOPBACK,
      discover: async () => offered,
    });
    expect(outcome).toMatchObject({ status: "looked", result: { waiting: 3_000 - MAX_ADDED } });
    expect(await keysOf(source.id)).toHaveLength(1 + MAX_ADDED);

    await t.db.$executeRaw`
      INSERT INTO feeds (workspace_id, id, source_id, external_key)
      SELECT ${caller.workspaceId}::int, 'feed_' || lpad(n::text, 26, '0'), ${source.id}, 'https://x.example/' || n
        FROM generate_series(1, 480) AS n`;
    const again = await claimLook(t.db, caller, source.id);
    const full = await lookForFeeds(t.db, caller, again ?? never(), {
      ...LOOPBACK,
      discover: async () => offered,
    });
    expect(full).toMatchObject({ result: { added: [], waiting: 3_000 - MAX_ADDED, known: MAX_ADDED } });
  });

  it("does not carry a source's password to another site that the page names", async () => {
    const source = await connect({}, { credentials: { type: "basic", username: "ada", password: "s3cr3t" } });
    const offered = [
      { externalKey: "http://elsewhere.example/feed.xml", name: "Lure" },
      { externalKey: upstream.url("/fog.xml"), name: "Fog" },
      { externalKey: "ftp://elsewhere.example/feed.xml", name: "No feed" },
    ];
    const claim = await claimLook(t.db, caller, source.id);
    const outcome = await lookForFeeds(t.db, caller, claim ?? never(), {
      ...LOOPBACK,
      discover: async () => offered,
    });
    expect(outcome).toMatchObject({ result: { added: [{ name: "Fog" }], elsewhere: 1, unusable: 1 } });
  });

  it("waits longer with every failure, keeps the reason, and begins anew after a success", async () => {
    const source = await connect();
    upstream.answer = (_, response) => response.writeHead(429, { "retry-after": "7200" }).end("slow down");
    await expect(look(source.id)).rejects.toMatchObject({ code: "upstream_failed" });
    const failed = (await getSource(t.db, caller, { sourceId: source.id })).newFeeds;
    expect(failed).toMatchObject({ error: { code: "rate_limited", origin: "upstream" } });
    // The cooldown holds for looks as it does for syncs: no request is made.
    expect(Date.parse(failed.nextLookAt ?? "")).toBeGreaterThan(Date.now() + 7_100_000);
    upstream.requests.length = 0;
    await expect(look(source.id)).rejects.toMatchObject({ code: "upstream_failed" });
    expect(upstream.requests).toEqual([]);
    expect(await t.db.source.findFirst({ where: { id: source.id } })).toMatchObject({ lookFailures: 2 });
  });

  it("keeps what is secret in the address in the vault, and uses it", async () => {
    const address = upstream.url("/?key=s3cr3t-value");
    const source = await connect({ address });
    await look(source.id);
    expect(upstream.requests).toContain("/?key=s3cr3t-value");
    const rows = await t.db.$queryRaw<{ row: string }[]>`
      SELECT s::text AS row FROM sources s WHERE id = ${source.id}
      UNION ALL SELECT a::text FROM audit_entries a WHERE workspace_id = ${caller.workspaceId}::int`;
    expect(rows.map(({ row }) => row).join()).not.toContain("s3cr3t-value");
    expect((await getSource(t.db, caller, { sourceId: source.id })).newFeeds.address).toContain("key=***");

    await updateSource(t.db, caller, {
      sourceId: source.id,
      newFeeds: { isOn: true, address: upstream.url("/") },
    });
    expect(await t.db.credential.count({ where: { workspaceId: caller.workspaceId } })).toBe(0);
  });
});

describe("two processes", () => {
  it("claim a look once, and the one whose claim was lost writes nothing", async () => {
    const source = await connect();
    const [first, second] = await Promise.all([
      claimLook(t.db, caller, source.id),
      claimLook(t.db, caller, source.id),
    ]);
    const claim = first ?? second ?? never();
    expect([first, second].filter(Boolean)).toHaveLength(1);
    await expect(look(source.id)).rejects.toMatchObject({ code: "conflict" });
    // Its lease runs out; another takes over.
    await t.db
      .$executeRaw`UPDATE sources SET look_lease_until = now() - interval '1 second' WHERE id = ${source.id}`;
    announced.push("/storms.xml");
    await look(source.id);
    announced.push("/late.xml");
    expect(await lookForFeeds(t.db, caller, claim, LOOPBACK)).toEqual({ status: "superseded" });
    expect(await keysOf(source.id)).toEqual(["/tides.xml", "/storms.xml"]);
  });

  it("do not claim what another is looking at, however due it is", async () => {
    const { id } = await connect();
    const claims = async () => {
      const claimed = await claimDueLooks(t.db, { types: ["rss"], limit: 100 });
      return claimed.filter(({ sourceId }) => sourceId === id);
    };
    expect(await claims()).toHaveLength(1);
    expect(await claims()).toHaveLength(0);
    await t.db
      .$executeRaw`UPDATE sources SET look_lease_until = now() - interval '1 second' WHERE id = ${id}`;
    expect(await claims()).toHaveLength(1);
  });

  it("share what is due without asking a site twice", async () => {
    const sites = Array.from({ length: 6 }, (_, i) => `/?site=${i}`);
    for (const site of sites) await connect({ address: upstream.url(site) });
    await Promise.all([due(), due()]);
    expect(upstream.requests.filter((path) => path.startsWith("/?")).sort()).toEqual(sites);
  });

  it("do not add feeds to a source that was paused, deleted or changed while it was looked at", async () => {
    const acts = [
      (sourceId: string) => pauseSource(t.db, caller, { sourceId }),
      (sourceId: string) => deleteSource(t.db, caller, { sourceId }),
      (sourceId: string) =>
        updateSource(t.db, caller, { sourceId, newFeeds: { address: upstream.url("/other") } }),
    ];
    for (const act of acts) {
      const source = await connect();
      const claim = (await claimLook(t.db, caller, source.id)) ?? never();
      const outcome = await lookForFeeds(t.db, caller, claim, {
        ...LOOPBACK,
        discover: async () => {
          await act(source.id);
          return [{ externalKey: upstream.url("/late.xml"), name: "Late" }];
        },
      });
      expect(outcome).toEqual({ status: "superseded" });
      expect(await keysOf(source.id)).not.toContain("/late.xml");
    }
  });
});

describe("what a source may ask for", () => {
  it("is refused where nobody said where to look, and where the adapter lists one feed only", async () => {
    const cases = [
      [{ type: "rss", newFeeds: { isOn: true } }, "newFeeds.address"],
      [{ type: "substack", newFeeds: { isOn: true, address: "https://a.substack.com" } }, "newFeeds.isOn"],
      [{ type: "api", newFeeds: { isOn: true, address: "x" } }, "newFeeds.isOn"],
    ] as const;
    for (const [input, path] of cases) {
      await expect(createSource(t.db, caller, { name: "X", ...input })).rejects.toMatchObject({
        code: "invalid_request",
        info: { fields: [{ path }] },
      });
    }
    const bare = await createSource(t.db, caller, { type: "rss", name: "X" });
    await expect(look(bare.source.id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("goes with the source when it is deleted, secrets and refusals too", async () => {
    const source = await connect({
      address: upstream.url("/?key=s3cr3t"),
      leftOut: [upstream.url("/a.xml")],
    });
    await deleteSource(t.db, caller, { sourceId: source.id });
    expect(await t.db.refusedFeed.count({ where: { sourceId: source.id } })).toBe(0);
    expect(await t.db.credential.count({ where: { workspaceId: caller.workspaceId } })).toBe(0);
  });
});

function never(): never {
  throw new Error("the look was not claimed");
}
