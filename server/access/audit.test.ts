import { expect, it } from "vitest";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { audit, maskSecrets } from "./audit";

const t = useDatabase();

it("records who did what to what, with the request", async () => {
  const caller = { ...(await createCaller(t.db)), requestId: "req-1" };
  await t.db.$transaction((tx) =>
    audit(tx, caller, "feed.reset", "feed_1", { reason: "wrong start", to: null }),
  );
  expect(await t.db.auditEntry.findFirst({ where: { workspaceId: caller.workspaceId } })).toMatchObject({
    actor: caller.actor,
    action: "feed.reset",
    targetId: "feed_1",
    detail: { reason: "wrong start", to: null },
    requestId: "req-1",
  });
});

it("leaves no entry of a change that was rolled back", async () => {
  const caller = await createCaller(t.db);
  const change = t.db.$transaction(async (tx) => {
    await audit(tx, caller, "source.delete", newId("src"));
    throw new Error("rolled back");
  });
  await expect(change).rejects.toThrow("rolled back");
  expect(await t.db.auditEntry.count({ where: { workspaceId: caller.workspaceId } })).toBe(0);
});

it("F43: masks what sounds secret, at any depth, and leaves names and codes", () => {
  expect(
    maskSecrets({
      config: { url: "https://mira:tide@example.org/a?key=t1de", headers: [{ apiKey: "t1de" }] },
      message: "GET https://example.org/?token=t1de failed (see https://example.org/help)",
      password: "t1de",
      key: "my-source",
      externalKey: "https://example.org/feed?key=***#abc",
      code: "upstream_failed",
      scopes: ["sources:read"],
      at: new Date(0),
      count: 3,
    }),
  ).toEqual({
    config: { url: "https://***@example.org/a?key=***", headers: [{ apiKey: "***" }] },
    message: "GET https://example.org/?token=*** failed (see https://example.org/help)",
    password: "***",
    key: "my-source",
    externalKey: "https://example.org/feed?key=***#abc",
    code: "upstream_failed",
    scopes: ["sources:read"],
    at: "1970-01-01T00:00:00.000Z",
    count: 3,
  });
});
