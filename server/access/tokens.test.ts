import { expect, it, vi } from "vitest";
import { createDb } from "@/server/db";
import { newId, sha256 } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { authenticateToken, forgetTokens } from "./authenticate-token";
import { requireScope } from "./principal";
import { refuseQueryToken, spellToken } from "./token-spelling";
import { browseTokens, createToken, listTokens, revokeToken, revokeTokens } from "./tokens";

const t = useDatabase();
const UNAUTHENTICATED = { code: "unauthenticated" };

async function aToken(scopes: Parameters<typeof createToken>[2]["scopes"] = ["documents:write"]) {
  const caller = await createCaller(t.db);
  return { caller, ...(await createToken(t.db, caller, { name: "Importer", scopes })) };
}

it("makes a token that speaks for its workspace with its scopes", async () => {
  const { caller, id, token } = await aToken(["changes:read", "documents:write"]);
  expect(token).toMatch(new RegExp(`^tdm_${caller.workspaceId.toString(36)}_[A-Za-z0-9_-]{43}$`));
  const principal = await authenticateToken(t.db, `Bearer ${token}`);
  expect(principal).toMatchObject({
    caller: { workspaceId: caller.workspaceId, actor: { type: "token", id, name: "Importer" } },
    role: null,
    userId: null,
    tokenId: id,
  });
  expect([...principal.scopes]).toEqual(["documents:write", "changes:read"]);
  expect(() => requireScope(principal, "sources:write")).toThrow(/lacks the scope "sources:write"/);
});

it("keeps the hash alone: the token is in no column and no audit entry", async () => {
  const { caller, id, token, prefix } = await aToken();
  const row = await t.db.apiToken.findFirstOrThrow({ where: { id } });
  expect(Buffer.from(row.tokenHash).equals(sha256(token))).toBe(true);
  expect(JSON.stringify(row)).not.toContain(token.slice(prefix.length));
  expect(JSON.stringify(await listTokens(t.db, caller))).not.toContain(token.slice(prefix.length));
  const [entry] = await t.db.auditEntry.findMany({ where: { targetId: id } });
  expect(entry).toMatchObject({
    action: "token.create",
    workspaceId: caller.workspaceId,
    actor: caller.actor,
  });
  expect(JSON.stringify(entry)).not.toContain(token.slice(prefix.length));
});

it.each([
  null,
  "",
  "Bearer",
  "Basic dG9rZW4=",
  "Bearer tdm_1_short",
  "tdm_1_x",
  `Bearer ${"x".repeat(5000)}`,
])("refuses the header %j", async (header) => {
  await expect(authenticateToken(t.db, header)).rejects.toMatchObject(UNAUTHENTICATED);
});

it("refuses an unknown token, one of another workspace's spelling, and a workspace that is too large", async () => {
  const { caller, token } = await aToken();
  const moved = token.replace(/^tdm_[^_]+/, `tdm_${(caller.workspaceId + 1).toString(36)}`);
  for (const guess of [
    spellToken(caller.workspaceId).token,
    moved,
    token.replace(/^tdm_[^_]+/, "tdm_zzzzzz"),
  ]) {
    await expect(authenticateToken(t.db, `Bearer ${guess}`)).rejects.toMatchObject(UNAUTHENTICATED);
  }
});

it("ends a revoked token at once in this process", async () => {
  const { caller, id, token } = await aToken();
  await authenticateToken(t.db, `Bearer ${token}`);
  expect((await revokeToken(t.db, caller, id)).revokedAt).not.toBeNull();
  await expect(authenticateToken(t.db, `Bearer ${token}`)).rejects.toMatchObject(UNAUTHENTICATED);
  const actions = (await t.db.auditEntry.findMany({ where: { targetId: id } })).map(({ action }) => action);
  expect(actions.sort()).toEqual(["token.create", "token.revoke"]);
});

it("ends many at once, says which were ended before, and touches no other workspace's", async () => {
  const { caller, id, token } = await aToken();
  const second = await createToken(t.db, caller, { name: "Reader", scopes: ["changes:read"] });
  const foreign = await aToken();
  await revokeToken(t.db, caller, second.id);
  const { results, changed, failed } = await revokeTokens(t.db, caller, {
    tokenIds: [id, second.id, foreign.id],
  });
  expect({ changed, failed }).toEqual({ changed: 1, failed: 1 });
  expect(results).toMatchObject([{ changed: true }, { changed: false }, { ok: false, code: "not_found" }]);
  await expect(authenticateToken(t.db, `Bearer ${token}`)).rejects.toMatchObject(UNAUTHENTICATED);
  await authenticateToken(t.db, `Bearer ${foreign.token}`);
  expect((await browseTokens(t.db, caller, { tokens: "usable" })).items).toEqual([]);
  expect((await browseTokens(t.db, caller, {})).items).toHaveLength(2);
});

it("ends a revoked token within a second in every other process", async () => {
  const { caller, id, token } = await aToken();
  const elsewhere = createDb(t.url, 2); // its memory is not the one that revokeToken clears
  try {
    await authenticateToken(elsewhere, `Bearer ${token}`);
    await revokeToken(t.db, caller, id);
    const revokedAt = performance.now();
    const stillWorks = () =>
      authenticateToken(elsewhere, `Bearer ${token}`).then(
        () => true,
        () => false,
      );
    while (await stillWorks()) await new Promise(setImmediate);
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
  } finally {
    await elsewhere.$disconnect();
  }
});

it("asks the database once for many parallel and following requests", async () => {
  const { token } = await aToken();
  let queries = 0;
  const counting = t.db.$extends({
    query: {
      $queryRaw({ args, query }) {
        queries += 1;
        return query(args);
      },
    },
  }) as unknown as typeof t.db;
  await Promise.all(Array.from({ length: 50 }, () => authenticateToken(counting, `Bearer ${token}`)));
  expect(queries).toBe(1);
});

it("revokes twice without moving the time, and nothing of another workspace", async () => {
  const { caller, id, token } = await aToken();
  const stranger = await createCaller(t.db);
  await expect(revokeToken(t.db, stranger, id)).rejects.toMatchObject({ code: "not_found" });
  await authenticateToken(t.db, `Bearer ${token}`);
  const first = await revokeToken(t.db, caller, id);
  expect((await revokeToken(t.db, caller, id)).revokedAt).toEqual(first.revokedAt);
  expect(await t.db.auditEntry.count({ where: { targetId: id, action: "token.revoke" } })).toBe(1);
  await expect(revokeToken(t.db, caller, newId("tok"))).rejects.toMatchObject({ code: "not_found" });
});

it("ends a token when it expires, remembered or not", async () => {
  const caller = await createCaller(t.db);
  const expiresAt = new Date(Date.now() + 60_000);
  const { id, token } = await createToken(t.db, caller, { name: "Short", scopes: ["runs:read"], expiresAt });
  await authenticateToken(t.db, `Bearer ${token}`);
  vi.useFakeTimers({ toFake: ["Date"], now: expiresAt });
  try {
    await expect(authenticateToken(t.db, `Bearer ${token}`)).rejects.toMatchObject(UNAUTHENTICATED);
  } finally {
    vi.useRealTimers();
  }
  forgetTokens(t.db);
  await authenticateToken(t.db, `Bearer ${token}`);
  await t.db.apiToken.updateMany({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
  forgetTokens(t.db);
  await expect(authenticateToken(t.db, `Bearer ${token}`)).rejects.toMatchObject(UNAUTHENTICATED);
});

it("notes the last use, at most once a minute", async () => {
  const { caller, id, token } = await aToken();
  const lastUse = async () => (await listTokens(t.db, caller)).find((row) => row.id === id)?.lastUsedAt;
  expect(await lastUse()).toBeNull();
  await authenticateToken(t.db, `Bearer ${token}`);
  const first = await lastUse();
  expect(first).toBeInstanceOf(Date);
  const elsewhere = createDb(t.url, 1);
  await authenticateToken(elsewhere, `Bearer ${token}`);
  await elsewhere.$disconnect();
  expect(await lastUse()).toEqual(first);

  await t.db.apiToken.updateMany({ where: { id }, data: { lastUsedAt: new Date(Date.now() - 61_000) } });
  const later = createDb(t.url, 1);
  await authenticateToken(later, `Bearer ${token}`);
  await later.$disconnect();
  expect((await lastUse())?.getTime()).toBeGreaterThan(Date.now() - 10_000);
});

it.each([
  ["no scope", { name: "x", scopes: [] }],
  ["an unknown scope", { name: "x", scopes: ["everything" as "admin"] }],
  ["an empty name", { name: " ", scopes: ["admin" as const] }],
  ["an expiry that has passed", { name: "x", scopes: ["admin" as const], expiresAt: new Date(0) }],
  ["an expiry that is no date", { name: "x", scopes: ["admin" as const], expiresAt: new Date(Number.NaN) }],
])("refuses %s", async (_, input) => {
  const caller = await createCaller(t.db);
  await expect(createToken(t.db, caller, input)).rejects.toMatchObject({ code: "invalid_request" });
  expect(await t.db.apiToken.count({ where: { workspaceId: caller.workspaceId } })).toBe(0);
});

it("lists a workspace's own tokens, newest first", async () => {
  const { caller, id } = await aToken();
  await aToken();
  const second = await createToken(t.db, caller, { name: "Second", scopes: ["admin"] });
  expect((await listTokens(t.db, caller)).map((row) => row.id)).toEqual([second.id, id]);
});

it("F43: refuses a token in the query string, whatever it is called", () => {
  const { token } = spellToken(1);
  for (const query of [`token=${token}`, "access_token=abc", `x=${token}`, "Token=abc", "api_key=1"]) {
    const refuse = () => refuseQueryToken(`/api/v1/feeds?${query}`);
    expect(refuse).toThrow(expect.objectContaining({ code: "unauthenticated" }));
    expect(refuse).toThrow(/Tokens in a URL are refused/);
    expect(refuse).not.toThrow(new RegExp(token.slice(8)));
  }
  expect(() => refuseQueryToken("https://host.example/api/v1/feeds?limit=5&key2=a&cursor=x")).not.toThrow();
});
