import { expect, it } from "vitest";
import { useDatabase } from "./database";
import { createCaller, createFeed } from "./factories";

const t = useDatabase();

it("clones a migrated database that factories can fill", async () => {
  const caller = await createCaller(t.db);
  const feed = await createFeed(t.db, caller);
  expect(feed.documentCount).toBe(0);
});
