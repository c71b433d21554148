import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES, scopesOfRole } from "@/server/access/principal";
import { sealSession } from "@/server/access/read-session";
import { createToken, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Role } from "@/server/db";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { GraphqlClient, useGraphqlServer } from "@/test/graphql-client";
import { exampleOf } from "./example-operations";
import { graphqlOperations } from "./schema";

const t = useDatabase();
const server = useGraphqlServer(t);
let caller: Caller;
let api: GraphqlClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await GraphqlClient.create(server.url, t.db, caller);
});

/** Someone with a role, by the cookie of their browser. */
async function signIn(role: Role, headers: Record<string, string> = {}): Promise<GraphqlClient> {
  const user = await t.db.user.create({
    data: { id: newId("usr"), email: `${newId("usr")}@example.org`, name: role, passwordHash: "" },
  });
  await t.db.membership.create({ data: { workspaceId: caller.workspaceId, userId: user.id, role } });
  const cookie = await sealSession({ sub: user.id, sessionVersion: user.sessionVersion });
  return new GraphqlClient(server.url, null, {
    cookie: `a=b; next-auth.session-token=${cookie}`,
    ...headers,
  });
}

describe("without access", () => {
  it("answers 401 before it looks at what was sent", async () => {
    const nobody = new GraphqlClient(server.url, null);
    const answers = [
      await nobody.ask("{ sources { nextAfter } }"),
      await nobody.ask("{ nonsense"),
      await nobody.ask("{ __schema { types { name } } }"),
      await nobody.send("not json"),
      await nobody.send("x", { "content-type": "text/plain" }),
      await nobody.send("x".repeat(9 * 1024 * 1024)),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 401,
        data: undefined,
        errors: [{ extensions: { code: "unauthenticated", requestId: answer.headers.get("x-request-id") } }],
      });
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("refuses a token that is unknown, expired or revoked in the same words, and one in the URL", async () => {
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
    const messages = new Set<string>();
    for (const token of [revoked.token, expired.token, `${revoked.token.slice(0, -4)}AAAA`, "nonsense"]) {
      const answer = await new GraphqlClient(server.url, token).ask("{ sources { nextAfter } }");
      expect(answer).toMatchObject({ status: 401, errors: [{ extensions: { code: "unauthenticated" } }] });
      messages.add(answer.errors[0].message);
    }
    expect(messages.size).toBe(1);
    const inUrl = await new GraphqlClient(`${server.url}?token=${api.token}`, api.token).ask(
      "{ sources { nextAfter } }",
    );
    expect(inUrl.status).toBe(401);
    expect(JSON.stringify(inUrl.errors)).not.toContain(api.token);
  });
});

describe("scopes", () => {
  it("names one for every operation there is", () => {
    expect(graphqlOperations.map(({ kind, name, scope }) => `${kind} ${name}: ${scope}`).sort()).toEqual([
      "mutation addFeed: sources:write",
      "mutation createSource: sources:write",
      "mutation finishSyncRun: runs:write",
      "mutation heartbeatSyncRun: runs:write",
      "mutation ingestDocuments: documents:write",
      "mutation resetFeed: sources:write",
      "mutation restartSyncRun: runs:write",
      "mutation startSyncRun: runs:write",
      "query changeHead: changes:read",
      "query changes: changes:read",
      "query cursorTransitions: sources:read",
      "query document: documents:read",
      "query documentByExternalId: documents:read",
      "query documents: documents:read",
      "query feed: sources:read",
      "query feeds: sources:read",
      "query rejections: documents:read",
      "query source: sources:read",
      "query sources: sources:read",
      "query syncRun: runs:read",
      "query syncRuns: runs:read",
    ]);
  });

  it("needs exactly the scope that is named, on every operation", async () => {
    for (const operation of graphqlOperations) {
      const others = SCOPES.filter((scope) => scope !== operation.scope);
      const without = await GraphqlClient.create(server.url, t.db, caller, others);
      expect(await without.ask(exampleOf(operation)), operation.name).toMatchObject({
        status: 403,
        errors: [{ extensions: { code: "forbidden", missingScope: operation.scope } }],
      });
      const only = await GraphqlClient.create(server.url, t.db, caller, [operation.scope]);
      const { status, errors } = await only.ask(exampleOf(operation));
      expect([200, 404], `${operation.name}: ${JSON.stringify(errors)}`).toContain(status);
    }
  });
});

describe("another workspace", () => {
  it("does not exist, by any operation that takes an id", async () => {
    const other = await createCaller(t.db);
    const theirs = await GraphqlClient.create(server.url, t.db, other);
    const feed = await createFeed(t.db, other, {});
    const pushed = await theirs.ask(
      `mutation { ingestDocuments(feedId: "${feed.id}", documents: [{ id: "a", text: "theirs" }, { }]) { runId } }`,
    );
    const { runId } = pushed.data.ingestDocuments;
    const document = await t.db.document.findFirstOrThrow({ where: { feedId: feed.id } });
    const ids = { feed: feed.id, src: feed.sourceId, run: runId, doc: document.id };
    const before = await snapshot(other.workspaceId);
    for (const operation of graphqlOperations) {
      const query = exampleOf(operation, ids);
      if (query === exampleOf(operation)) continue; // takes no id
      const answer = await api.ask(query);
      expect(answer, operation.name).toMatchObject({
        status: 404,
        errors: [{ extensions: { code: expect.stringMatching(/^(feed_)?not_found$/) } }],
      });
      expect(JSON.stringify(answer), operation.name).not.toContain("theirs");
    }
    expect(await snapshot(other.workspaceId)).toEqual(before);
  });

  async function snapshot(workspaceId: number) {
    const where = { workspaceId };
    return {
      feeds: await t.db.feed.findMany({ where }),
      documents: await t.db.document.findMany({ where }),
      runs: await t.db.syncRun.findMany({ where }),
    };
  }
});

describe("people", () => {
  it.each(["viewer", "member", "admin", "owner"] as const)(
    "may as a %s do what the role allows",
    async (role) => {
      const person = await signIn(role);
      for (const operation of graphqlOperations) {
        const { status, errors } = await person.ask(exampleOf(operation));
        if (scopesOfRole(role).has(operation.scope)) expect([200, 404], operation.name).toContain(status);
        else
          expect(errors[0], operation.name).toMatchObject({
            extensions: { code: "forbidden", missingScope: operation.scope },
          });
      }
    },
  );

  const WRITE = `mutation { createSource(type: "api", name: "Forged", key: "forged") { id } }`;

  it.each([
    [
      "a page of another site",
      { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
    ],
    [
      "a form of another site",
      { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    ],
    ["a sandboxed frame", { origin: "null" }],
    ["a browser that tells the origin alone", { origin: "https://evil.example" }],
    [
      "a sibling host",
      { origin: "http://x.localhost", "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
    ],
  ])("are not spoken for by %s", async (_, headers) => {
    const forger = await signIn("owner", headers as Record<string, string>);
    expect(await forger.ask(WRITE)).toMatchObject({
      status: 401,
      errors: [{ extensions: { code: "unauthenticated" } }],
    });
    expect(await t.db.source.count({ where: { key: "forged" } })).toBe(0);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/graphql",
    "",
  ])("are not spoken for by content that a form can send: %s", async (type) => {
    const person = await signIn("owner");
    const answer = await person.send(JSON.stringify({ query: WRITE }), { "content-type": type });
    expect(answer).toMatchObject({ errors: [{ extensions: { code: "invalid_request" } }] });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await t.db.source.count({ where: { key: "forged" } })).toBe(0);
  });

  it("may ask from a page of this site", async () => {
    const { origin } = new URL(server.url);
    const person = await signIn("viewer", {
      origin,
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "cors",
    });
    expect(await person.ask("{ sources { nextAfter } }")).toMatchObject({ status: 200, errors: [] });
  });

  it("are nobody after they were signed out everywhere, or removed", async () => {
    const person = await signIn("owner");
    await t.db.user.updateMany({ data: { sessionVersion: { increment: 1 } } });
    expect((await person.ask("{ sources { nextAfter } }")).status).toBe(401);
  });
});

describe("GET", () => {
  it("carries nothing out, and says where queries go", async () => {
    const url = `${server.url}?query=${encodeURIComponent("{ sources { nextAfter } }")}`;
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const response = await fetch(url, { method, headers: { authorization: `Bearer ${api.token}` } });
      expect(response.status, method).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, POST");
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: "method_not_allowed" } }],
      });
    }
  });

  it("shows GraphiQL to signed-in people alone, with a script that only this answer allows", async () => {
    const browser = { accept: "text/html,application/xhtml+xml" };
    const stranger = await fetch(server.url, { headers: browser });
    expect(stranger.status).toBe(401);
    expect(await stranger.text()).toContain('href="/sign-in?next=%2Fapi%2Fgraphql"');
    const { headers } = await signIn("viewer", browser);
    const answer = await fetch(server.url, { headers });
    expect(answer.status).toBe(200);
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(
      answer.headers.get("content-security-policy") ?? "",
    )?.[1];
    const html = await answer.text();
    // Its own, and ours that gives it the site's theme.
    expect(new Set(html.match(/<script nonce[^>]*>/g))).toEqual(new Set([`<script nonce="${nonce}">`]));
    expect(await (await fetch(server.url, { headers })).text()).not.toContain(nonce);
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/);
  });
});
