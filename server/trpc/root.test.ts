import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import superjson from "superjson";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Principal, SCOPES, type Scope, scopesOfRole } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { newId } from "@/server/ids";
import { log } from "@/server/log";
import { useDatabase } from "@/test/database";
import { createFeed, createCaller as createWorkspace } from "@/test/factories";
import type { TRPCContext } from "./context";
import { appRouter, createCaller } from "./root";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createWorkspace(t.db);
});

function contextOf(principal: Principal | null): TRPCContext {
  return { db: t.db, principal, requestId: "req_test", peer: { isLocal: true, address: "127.0.0.1" } };
}

function asToken(scopes: readonly Scope[] = SCOPES, as = caller) {
  return createCaller(
    contextOf({ caller: as, scopes: new Set(scopes), role: null, userId: null, tokenId: newId("tok") }),
  );
}

function asPerson(role: Role, id = newId("usr")) {
  const person: Caller = { workspaceId: caller.workspaceId, actor: { type: "user", id, name: "Ada" } };
  return createCaller(
    contextOf({ caller: person, scopes: scopesOfRole(role), role, userId: id, tokenId: null }),
  );
}

/** The answer as a client sees it, through tRPC's own HTTP handler. */
async function overHttp(
  path: string,
  input: unknown,
  principal: Principal | null,
  method: "GET" | "POST" = "POST",
) {
  const body = JSON.stringify(superjson.serialize(input));
  const query = method === "GET" ? `?input=${encodeURIComponent(body)}` : "";
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: new Request(`http://localhost/api/trpc/${path}${query}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(method === "POST" && { body }),
    }),
    router: appRouter,
    createContext: () => contextOf(principal),
  });
  return { status: response.status, body: await response.json() };
}

describe("the router", () => {
  it("does the whole main path: connect, push, look, pause, delete", async () => {
    const api = asToken();
    const source = await api.sources.create({
      type: "api",
      name: "Notes",
      feeds: [{ externalKey: "default" }],
    });
    const feedId = source.feeds[0]?.id ?? "";
    const pushed = await api.ingest.documents({
      feedId,
      documents: [{ id: "a", title: "A", text: "one" }, { id: "b" }],
      cursor: "5",
    });
    expect(pushed).toMatchObject({ created: 2, cursor: "5" });
    const [newest] = (await api.documents.list({ feedId })).items;
    expect(newest?.externalId).toBe("b");
    expect(await api.documents.get({ documentId: newest?.id ?? "" })).toMatchObject({
      externalId: "b",
      text: null,
    });
    expect((await api.runs.list({ feedId })).items).toMatchObject([{ id: pushed.runId, created: 2 }]);
    expect(await api.runs.get({ runId: pushed.runId })).toMatchObject({ status: "succeeded" });
    expect(await api.feeds.reset({ feedId, to: null, reason: "try", dryRun: true })).toMatchObject({
      from: "5",
    });
    expect((await api.feeds.transitions({ feedId })).items).toMatchObject([{ to: "5" }]);
    expect((await api.feeds.pause({ feedId })).status).toBe("paused");
    expect((await api.feeds.list({ sourceId: source.id, status: "paused" })).items).toHaveLength(1);
    expect(await api.sources.delete({ sourceId: source.id })).toBeNull();
    await expect(api.sources.get({ sourceId: source.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("lets a run of someone's own code live", async () => {
    const api = asToken();
    const feed = await createFeed(t.db, caller);
    const { runId } = await api.runs.start({ feedId: feed.id });
    await api.ingest.documents({ feedId: feed.id, runId, documents: [{ id: "a" }] });
    expect(Date.parse((await api.runs.heartbeat({ runId })).leaseExpiresAt)).toBeGreaterThan(Date.now());
    expect(await api.runs.finish({ runId, status: "partial" })).toMatchObject({
      status: "partial",
      created: 1,
    });
    await expect(api.runs.heartbeat({ runId })).rejects.toMatchObject({
      code: "CONFLICT",
      cause: { code: "run_fenced" },
    });
    // As over REST: what cannot be an id belongs to no run and no source.
    const page = { feedId: feed.id, documents: [] };
    await expect(api.ingest.documents({ ...page, runId: "run\0" })).rejects.toMatchObject({
      cause: { code: "run_fenced" },
    });
    await expect(api.ingest.documents({ ...page, sourceId: "\0" })).rejects.toMatchObject({
      cause: { code: "feed_not_found" },
    });
  });

  it("makes tokens for people alone: what a token made would outlive it", async () => {
    const id = newId("usr");
    await t.db.user.create({ data: { id, email: `${id}@example.org`, name: "Ada" } });
    await t.db.membership.create({ data: { workspaceId: caller.workspaceId, userId: id, role: "admin" } });
    const made = await asPerson("admin", id).tokens.create({
      name: "CI",
      scopes: ["documents:write"],
      expiresInDays: 30,
    });
    expect(made.token).toMatch(/^tdm_/);
    const listed = (await asPerson("admin").tokens.list()).find((token) => token.id === made.id);
    expect(JSON.stringify(listed)).not.toContain(made.token);
    await expect(asToken(["admin"]).tokens.create({ name: "all", scopes: ["admin"] })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect((await asPerson("admin").tokens.revoke({ tokenId: made.id })).revokedAt).toBeInstanceOf(Date);
  });
});

describe("roles", () => {
  it("let viewers look, members change, admins decide", async () => {
    const feed = await createFeed(t.db, caller);
    const change = (role: Role) => asPerson(role).feeds.update({ feedId: feed.id, name: role });
    const tokens = (role: Role) => asPerson(role).tokens.list();
    const decide = (role: Role) =>
      asPerson(role).feeds.approveHeldDelete({ feedId: feed.id, holdId: newId("hold") });
    const refused = { code: "FORBIDDEN" };
    expect((await asPerson("viewer").feeds.get({ feedId: feed.id })).id).toBe(feed.id);
    await expect(change("viewer")).rejects.toMatchObject(refused);
    expect((await change("member")).name).toBe("member");
    await expect(tokens("member")).rejects.toMatchObject(refused);
    await expect(decide("member")).rejects.toMatchObject(refused);
    await expect(decide("admin")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await tokens("owner")).toBeInstanceOf(Array);
  });

  it("are needed by every procedure but those of setting up and of joining", async () => {
    const nobody = createCaller(contextOf(null));
    const paths = Object.keys(appRouter._def.procedures);
    expect(paths.length).toBeGreaterThan(35);
    const isOpen = (name: string) => name.startsWith("setup.") || name === "people.acceptInvitation";
    for (const path of paths.filter((name) => !isOpen(name))) {
      const [noun, verb] = path.split(".") as [string, string];
      const procedure = (
        nobody as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
      )[noun]?.[verb];
      await expect(procedure?.({}), path).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
  });
});

describe("another workspace", () => {
  it("does not exist for any procedure that takes an id", async () => {
    const other = await createWorkspace(t.db);
    const feed = await createFeed(t.db, other);
    const theirs = asToken(SCOPES, other);
    const { runId } = await theirs.ingest.documents({ feedId: feed.id, documents: [{ id: "a" }] });
    const [document] = (await theirs.documents.list({ feedId: feed.id })).items;
    const { id: feedId, sourceId } = feed;
    const api = asToken();
    const attempts = {
      sourcesGet: () => api.sources.get({ sourceId }),
      sourcesUpdate: () => api.sources.update({ sourceId, name: "mine" }),
      sourcesDelete: () => api.sources.delete({ sourceId }),
      sourcesPause: () => api.sources.pause({ sourceId }),
      sourcesResume: () => api.sources.resume({ sourceId }),
      sourcesSync: () => api.sources.sync({ sourceId }),
      feedsList: () => api.feeds.list({ sourceId }),
      feedsGet: () => api.feeds.get({ feedId }),
      feedsAdd: () => api.feeds.add({ sourceId, externalKey: "mine" }),
      feedsUpdate: () => api.feeds.update({ feedId, name: "mine" }),
      feedsDelete: () => api.feeds.delete({ feedId }),
      feedsPause: () => api.feeds.pause({ feedId }),
      feedsResume: () => api.feeds.resume({ feedId }),
      feedsSync: () => api.feeds.sync({ feedId }),
      feedsRewind: () => api.feeds.reset({ feedId, to: { beforeRun: runId }, reason: "mine" }),
      rejectionsOfSource: () => api.feeds.rejections({ sourceId }),
      documentsOfSource: () => api.documents.list({ sourceId }),
      runsOfSource: () => api.runs.list({ sourceId }),
      feedsReset: () => api.feeds.reset({ feedId, to: null, reason: "mine" }),
      transitions: () => api.feeds.transitions({ feedId }),
      heldDeletes: () => api.feeds.heldDeletes({ feedId }),
      rejections: () => api.feeds.rejections({ feedId }),
      documentsList: () => api.documents.list({ feedId }),
      documentsGet: () => api.documents.get({ documentId: document?.id ?? "" }),
      runsList: () => api.runs.list({ feedId }),
      runsGet: () => api.runs.get({ runId }),
      runsStart: () => api.runs.start({ feedId }),
      runsFinish: () => api.runs.finish({ runId, status: "failed" }),
      ingest: () => api.ingest.documents({ feedId, documents: [{ id: "b" }] }),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      await expect(attempt(), name).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    // What takes many answers for each, or leaves out what is not there.
    expect(await api.feeds.history({ feedIds: [feedId] })).toEqual([]);
    expect(await api.feeds.bulk({ feedIds: [feedId], action: "delete" })).toMatchObject({ failed: 1 });
    expect(await api.sources.bulk({ sourceIds: [sourceId], action: "pause" })).toMatchObject({ failed: 1 });
    expect((await api.feeds.matching({})).feeds.map((found) => found.id)).not.toContain(feedId);
    expect(await t.db.document.count({ where: { workspaceId: other.workspaceId } })).toBe(1);
    expect(await t.db.auditEntry.count({ where: { workspaceId: other.workspaceId } })).toBe(0);
  });
});

describe("errors on the wire", () => {
  const principal = (): Principal => ({
    caller,
    scopes: new Set(SCOPES),
    role: null,
    userId: null,
    tokenId: "tok_x",
  });

  it("carry the code, the fields and the request id of REST", async () => {
    const bad = await overHttp(
      "sources.create",
      { type: "api", name: "", feeds: [{ externalKey: 5 }] },
      principal(),
    );
    expect(bad.status).toBe(422);
    expect(bad.body.error.json.data).toMatchObject({
      code: "UNPROCESSABLE_CONTENT",
      appCode: "invalid_request",
      requestId: "req_test",
      fields: [{ path: "name" }, { path: "feeds[0].externalKey" }],
    });
    const unknown = await overHttp("sources.create", { type: "fax" }, principal());
    expect(unknown.body.error.json.data).toMatchObject({
      appCode: "invalid_request",
      fields: [{ path: "type" }],
    });
    const missing = await overHttp("feeds.get", { feedId: newId("feed") }, principal(), "GET");
    expect(missing).toMatchObject({
      status: 404,
      body: { error: { json: { data: { appCode: "feed_not_found" } } } },
    });
    const nobody = await overHttp("feeds.get", { feedId: newId("feed") }, null, "GET");
    expect(nobody).toMatchObject({
      status: 401,
      body: { error: { json: { data: { appCode: "unauthenticated" } } } },
    });
    const nowhere = await overHttp("feeds.fly", {}, principal());
    expect(nowhere).toMatchObject({
      status: 404,
      body: { error: { json: { data: { appCode: "not_found" } } } },
    });
  });

  it("hide what nobody expected, and log it", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const broken = { ...contextOf(principal()), db: null as unknown as TRPCContext["db"] };
    const failure = await createCaller(broken)
      .feeds.get({ feedId: newId("feed") })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TRPCError);
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ requestId: "req_test", path: "feeds.get" }),
      "unexpected error",
    );
    logged.mockRestore();
  });
});
