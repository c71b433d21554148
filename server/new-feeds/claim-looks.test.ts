import { describe, expect, it } from "vitest";
import { createSource } from "@/server/sources/create-source";
import { deleteSource } from "@/server/sources/delete-source";
import { pauseSource } from "@/server/sources/pause-source";
import { resumeSource } from "@/server/sources/resume-source";
import { updateSource } from "@/server/sources/update-source";
import { useAnnouncingSite } from "@/test/announcing-site";
import { useDatabase } from "@/test/database";
import { LOOPBACK } from "@/test/run-feed";
import { claimDueLooks, claimLook } from "./claim-looks";
import { lookForFeeds } from "./look-for-feeds";

const t = useDatabase();
const site = useAnnouncingSite(t);
const { upstream } = site;

describe("two processes", () => {
  it("claim a look once, and the one whose claim was lost writes nothing", async () => {
    const source = await site.connect();
    const [first, second] = await Promise.all([
      claimLook(t.db, site.caller, source.id),
      claimLook(t.db, site.caller, source.id),
    ]);
    const claim = first ?? second;
    if (!claim) throw new Error("the look was not claimed");
    expect([first, second].filter(Boolean)).toHaveLength(1);
    await expect(site.look(source.id)).rejects.toMatchObject({ code: "conflict" });
    // Its lease runs out; another takes over.
    await t.db
      .$executeRaw`UPDATE sources SET look_lease_until = now() - interval '1 second' WHERE id = ${source.id}`;
    site.announced.push("/storms.xml");
    await site.look(source.id);
    site.announced.push("/late.xml");
    expect(await lookForFeeds(t.db, site.caller, claim, LOOPBACK)).toEqual({ status: "superseded" });
    expect(await site.pathsOf(source.id)).toEqual(["/tides.xml", "/storms.xml"]);
  });

  it("do not claim what another is looking at, however due it is", async () => {
    const { id } = await site.connect();
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
    const paths = Array.from({ length: 6 }, (_, i) => `/?site=${i}`);
    for (const path of paths) await site.connect({ address: upstream.url(path) });
    await Promise.all([site.lookWhereDue(), site.lookWhereDue()]);
    expect(upstream.requests.filter((path) => path.startsWith("/?")).sort()).toEqual(paths);
  });

  it("do not add feeds to a source that was paused, deleted or changed while it was looked at", async () => {
    const acts = [
      (sourceId: string) => pauseSource(t.db, site.caller, { sourceId }),
      (sourceId: string) => deleteSource(t.db, site.caller, { sourceId }),
      (sourceId: string) =>
        updateSource(t.db, site.caller, { sourceId, newFeeds: { address: upstream.url("/other") } }),
    ];
    for (const act of acts) {
      const source = await site.connect();
      const claim = await site.claim(source.id);
      const outcome = await lookForFeeds(t.db, site.caller, claim, {
        ...LOOPBACK,
        discover: async () => {
          await act(source.id);
          return [{ externalKey: upstream.url("/late.xml"), name: "Late" }];
        },
      });
      expect(outcome).toEqual({ status: "superseded" });
      expect(await site.pathsOf(source.id)).not.toContain("/late.xml");
    }
  });
});

it("is not under way any more when its source was paused and resumed meanwhile", async () => {
  const source = await site.connect();
  const claim = await site.claim(source.id);
  await lookForFeeds(t.db, site.caller, claim, {
    ...LOOPBACK,
    discover: async () => {
      await pauseSource(t.db, site.caller, { sourceId: source.id });
      return [];
    },
  });
  await resumeSource(t.db, site.caller, { sourceId: source.id });
  expect(await site.look(source.id)).toMatchObject({ added: [], known: 1 });
});

describe("what a source may ask for", () => {
  it("is refused where nobody said where to look, and where the adapter lists one feed only", async () => {
    const cases = [
      [{ type: "rss", newFeeds: { isOn: true } }, "newFeeds.address"],
      [{ type: "substack", newFeeds: { isOn: true, address: "https://a.substack.com" } }, "newFeeds.isOn"],
      [{ type: "api", newFeeds: { isOn: true, address: "x" } }, "newFeeds.isOn"],
    ] as const;
    for (const [input, path] of cases) {
      await expect(createSource(t.db, site.caller, { name: "X", ...input })).rejects.toMatchObject({
        code: "invalid_request",
        info: { fields: [{ path }] },
      });
    }
    const bare = await createSource(t.db, site.caller, { type: "rss", name: "X" });
    await expect(site.look(bare.source.id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("goes with the source when it is deleted, secrets and refusals too", async () => {
    const source = await site.connect({
      address: upstream.url("/?key=s3cr3t"),
      leftOut: [upstream.url("/a.xml")],
    });
    await deleteSource(t.db, site.caller, { sourceId: source.id });
    expect(await t.db.refusedFeed.count({ where: { sourceId: source.id } })).toBe(0);
    expect(await t.db.credential.count({ where: { workspaceId: site.caller.workspaceId } })).toBe(0);
  });
});
