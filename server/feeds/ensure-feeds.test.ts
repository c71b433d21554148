import { expect, it, vi } from "vitest";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { ensureFeeds } from "./ensure-feeds";

const secrets = vi.hoisted(() => ({ current: "first-".repeat(6), previous: [] as string[] }));
vi.mock("@/server/env", () => ({
  env: () => ({ TIDEMARK_SECRET: secrets.current, TIDEMARK_SECRET_PREVIOUS: secrets.previous }),
}));
const t = useDatabase();

it("finds the feed of a secret URL again after TIDEMARK_SECRET was changed", async () => {
  const caller = await createCaller(t.db);
  const source = { id: newId("src"), type: "rss", runsOn: "cloud" } as const;
  await t.db.source.create({ data: { ...source, workspaceId: caller.workspaceId, name: "Feeds" } });
  const ensure = (externalKey: string) =>
    t.db.$transaction((tx) => ensureFeeds(tx, caller, source, [{ externalKey }]));
  const [first] = await ensure("https://example.org/feed?key=t1de");

  secrets.previous = [secrets.current];
  secrets.current = "second-".repeat(6);
  await expect(ensure("https://example.org/feed?key=t1de")).resolves.toEqual([
    { id: first?.id, created: false },
  ]);
  await expect(ensure("https://example.org/feed?key=0ther")).resolves.toMatchObject([{ created: true }]);
});
