import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { newId } from "@/server/ids";

/** A workspace and a caller in it. */
export async function createCaller(db: Db): Promise<Caller> {
  const workspace = await db.workspace.create({ data: { name: "Harbour" } });
  return { workspaceId: workspace.id, actor: { type: "token", id: newId("tok"), name: "test" } };
}

/** An `api` source with one feed that takes pushes. */
export async function createFeed(
  db: Db,
  caller: Caller,
  feed: {
    watermark?: "date" | "idSet" | "token" | "none" | null;
    cursor?: string | null;
    externalKey?: string;
  } = {},
  source: { type?: string; runsOn?: "cloud" | "agent" | "api"; config?: object } = {},
) {
  const { workspaceId } = caller;
  const src = await db.source.create({
    data: {
      workspaceId,
      id: newId("src"),
      type: source.type ?? "api",
      name: "Test source",
      runsOn: source.runsOn ?? "api",
      config: source.config ?? {},
    },
  });
  return db.feed.create({
    data: {
      workspaceId,
      id: newId("feed"),
      sourceId: src.id,
      externalKey: feed.externalKey ?? "default",
      watermark: feed.watermark ?? null,
      cursor: feed.cursor ?? null,
    },
  });
}
