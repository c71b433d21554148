import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "@/server/access/principal";
import { createToken, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { routes } from "@/server/rest/app";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

/** A path of the route with ids that nobody has. */
function anyPath(path: string): string {
  const prefix: Record<string, string> = {
    sourceId: "src",
    feedId: "feed",
    documentId: "doc",
    runId: "run",
    holdId: "hold",
    rejectionId: "rej",
    webhookId: "whk",
    deliveryId: "dlv",
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `${prefix[name]}_01jz0000000000000000000000`);
}

describe("without access", () => {
  it("answers 401 on every route before it looks at anything else", async () => {
    const stranger = new RestClient(t.db, null);
    for (const route of routes) {
      const answer = await stranger.request(route.method.toUpperCase(), anyPath(route.path));
      expect(answer, `${route.method} ${route.path}`).toMatchObject({
        status: 401,
        body: { code: "unauthenticated" },
      });
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    }
  });

  it("refuses a token that is unknown, expired or revoked in the same words", async () => {
    const revoked = await createToken(t.db, caller, { name: "revoked", scopes: ["sources:read"] });
    await revokeToken(t.db, caller, revoked.id);
    const expired = await createToken(t.db, caller, {
      name: "old",
      scopes: ["sources:read"],
      expiresAt: new Date(Date.now() + 60_000),
    });
    await t.db.apiToken.updateMany({
      where: { id: expired.id },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    const unknown = `${revoked.token.slice(0, -4)}AAAA`;
    const details = [];
    for (const token of [revoked.token, expired.token, unknown, "nonsense"]) {
      const answer = await new RestClient(t.db, token).get("/sources");
      expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
      details.push(answer.body.detail);
    }
    expect(new Set(details).size).toBe(1);
  });

  it("F43: refuses a token in the query string, although the header would be good", async () => {
    for (const name of ["token", "access_token"]) {
      const answer = await api.get(`/sources?${name}=${api.token}`);
      expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
      expect(JSON.stringify(answer.body)).not.toContain(api.token);
    }
  });
});

describe("scopes", () => {
  it("needs exactly the scope that the table names, on every route", async () => {
    for (const route of routes) {
      const others = SCOPES.filter((scope) => scope !== route.scope);
      const without = await RestClient.create(t.db, caller, others);
      const refused = await without.request(route.method.toUpperCase(), anyPath(route.path));
      expect(refused, `${route.method} ${route.path}`).toMatchObject({
        status: 403,
        body: { code: "forbidden" },
      });
      expect(refused.body.detail).toContain(`"${route.scope}"`);

      const alone = await RestClient.create(t.db, caller, [route.scope]);
      const allowed = await alone.request(route.method.toUpperCase(), anyPath(route.path), {
        headers: { "last-event-id": "expired" }, // or the stream of changes would not end
      });
      expect(allowed.status, `${route.method} ${route.path}`).not.toBe(403);
    }
  });

  it("gives each route the scope of the wire's table", () => {
    const table = Object.fromEntries(routes.map((route) => [`${route.method} ${route.path}`, route.scope]));
    const expected: Record<string, Scope> = {
      "post /feeds/{feedId}/documents": "documents:write",
      "get /feeds/{feedId}/documents": "documents:read",
      "get /documents/{documentId}": "documents:read",
      "post /sources": "sources:write",
      "get /sources": "sources:read",
      "post /feeds/{feedId}/runs": "runs:write",
      "get /runs": "runs:read",
      "get /changes": "changes:read",
      "get /changes/stream": "changes:read",
      "post /feeds/{feedId}/held-deletes/{holdId}/approve": "admin",
      "get /webhooks": "admin",
      "post /webhooks": "admin",
    };
    expect(table).toMatchObject(expected);
  });
});

describe("another workspace", () => {
  it("is 404 on every route that names an id, and nothing of it changes", async () => {
    const other = await createCaller(t.db);
    const theirs = await RestClient.create(t.db, other);
    const feed = await createFeed(t.db, other);
    const pushed = await theirs.post(`/feeds/${feed.id}/documents`, {
      documents: [{ id: "a" }, { id: 7.5 }],
      cursor: "5",
    });
    const { runId } = (await theirs.post(`/feeds/${feed.id}/runs`)).body;
    const document = (await theirs.get(`/feeds/${feed.id}/documents/by-external-id?id=a`)).body;
    const rejection = (await theirs.get(`/feeds/${feed.id}/rejections`)).body.items[0];
    const hold = await t.db.heldDelete.create({
      data: {
        workspaceId: other.workspaceId,
        id: "hold_01jz0000000000000000000000",
        feedId: feed.id,
        runId,
        count: 1,
        sample: ["a"],
        reason: "test",
      },
    });
    expect(pushed.status).toBe(200);
    const webhook = await theirs.post("/webhooks", { url: "https://example.org/", events: ["run.failed"] });
    await t.db.webhookDelivery.create({
      data: {
        workspaceId: other.workspaceId,
        id: "dlv_01jz0000000000000000000000",
        endpointId: webhook.body.id,
        type: "run.failed",
        body: "{}",
        nextAttemptAt: new Date(),
        giveUpAt: new Date(),
      },
    });
    const before = await snapshot(other.workspaceId);

    const ids: Record<string, string> = {
      sourceId: feed.sourceId,
      feedId: feed.id,
      documentId: document.id,
      runId,
      holdId: hold.id,
      rejectionId: rejection.id,
      webhookId: webhook.body.id,
      deliveryId: "dlv_01jz0000000000000000000000",
    };
    const bodies: Record<string, unknown> = {
      "post /feeds/{feedId}/documents": { documents: [{ id: "b" }], cursor: "9" },
      "post /feeds/{feedId}/reset": { to: null, reason: "curious" },
      "post /sources/{sourceId}/feeds": { externalKey: "mine" },
      "post /runs/{runId}/restart": { reason: "curious" },
      "post /runs/{runId}/finish": { status: "succeeded" },
    };
    const withIds = routes.filter((route) => route.path.includes("{"));
    expect(withIds.length).toBeGreaterThan(20);
    for (const route of withIds) {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
      const query = route.path.endsWith("by-external-id") ? "?id=a" : "";
      const needsBody = route.method === "post" || route.method === "patch";
      const body = bodies[`${route.method} ${route.path}`] ?? (needsBody ? {} : undefined);
      const answer = await api.request(route.method.toUpperCase(), path + query, { body });
      expect(answer.status, `${route.method} ${route.path}`).toBe(404);
      expect(["not_found", "feed_not_found"]).toContain(answer.body.code);
    }
    expect(await api.get(`/runs?feedId=${feed.id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/runs?sourceId=${feed.sourceId}`)).toMatchObject({ status: 404 });
    expect(await snapshot(other.workspaceId)).toEqual(before);
  });

  it("does not show in lists", async () => {
    const other = await createCaller(t.db);
    await createFeed(t.db, other);
    const items = (await api.get("/sources?limit=200")).body.items as { id: string }[];
    const mine = await t.db.source.findMany({ where: { workspaceId: caller.workspaceId } });
    expect(items.map((item) => item.id).sort()).toEqual(mine.map((source) => source.id).sort());
  });
});

async function snapshot(workspaceId: number) {
  const where = { workspaceId };
  return {
    sources: await t.db.source.findMany({ where }),
    feeds: await t.db.feed.findMany({ where }),
    documents: await t.db.document.findMany({ where }),
    runs: await t.db.syncRun.findMany({ where, orderBy: { id: "asc" } }),
    holds: await t.db.heldDelete.findMany({ where }),
    rejections: await t.db.rejectedDocument.findMany({ where }),
    webhooks: await t.db.webhookEndpoint.findMany({ where }),
    deliveries: await t.db.webhookDelivery.findMany({ where }),
  };
}
