import { Writable } from "node:stream";
import pg from "pg";
import pino from "pino";
import { afterAll, expect, it, vi } from "vitest";
import { createUser } from "@/server/access/create-user";
import { SCOPES } from "@/server/access/principal";
import { signIn } from "@/server/access/sign-in";
import { createToken, revokeToken } from "@/server/access/tokens";
import { answerExport } from "@/server/export/answer-export";
import { createGraphqlHandler } from "@/server/graphql/handle-request";
import { workerFor } from "@/server/jobs/worker";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { createRestApp, routes } from "@/server/rest/app";
import { useDatabase } from "./database";
import { createTrpcHandler } from "./trpc-handler";

process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

// Everything logged, at the lowest level.
const lines = vi.hoisted(() => [] as string[]);
vi.mock("@/server/log", async (original) => {
  const { REDACT } = await original<typeof import("@/server/log")>();
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: "trace", redact: REDACT }, sink), REDACT };
});

const t = useDatabase();
afterAll(() => workerFor(t.db).stop());

const SECRETS = {
  password: "ebb-and-flow-of-the-tide",
  wrongPassword: "a-guess-that-was-wrong",
  basic: "basic-credential-4711",
  bearer: "bearer-credential-4712",
  unquoted: "un_quoted",
  feedUrl: "feed-url-key-4713",
  webhookUrl: "webhook-url-key-4714",
};

it("F43: writes tokens, passwords and credentials into no answer, log line or row", async () => {
  const email = "mira@example.org";
  const person = { email, password: SECRETS.password, role: "owner" } as const;
  const { userId, workspaceId } = await createUser(t.db, { type: "cli" }, person);
  const caller = { workspaceId, actor: { type: "user", id: userId, name: "Mira" } } as const;
  await signIn(t.db, { email, password: SECRETS.wrongPassword, address: "192.0.2.1" });
  await signIn(t.db, { email, password: SECRETS.password, address: "192.0.2.1" });
  const scopes = ["admin", ...new Set(routes.map(({ scope }) => scope))] as const;
  const good = await createToken(t.db, caller, { name: "Importer", scopes: [...new Set(scopes)] });
  const revoked = await createToken(t.db, caller, { name: "Lost", scopes: ["admin"] });
  await revokeToken(t.db, caller, revoked.id);

  const app = createRestApp(() => t.db);
  const answers: string[] = [];
  const requestIds: string[] = [];
  const send = async (method: string, path: string, body?: unknown, token = good.token) => {
    const response = await app.request(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, cookie: `next-auth.session-token=${token}` },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    expect(id).not.toBe("");
    requestIds.push(id);
    return {
      text,
      headers: JSON.stringify([...response.headers]),
      body: text === "" ? null : JSON.parse(text),
    };
  };
  const call = async (...args: Parameters<typeof send>) => {
    const answer = await send(...args);
    answers.push(answer.text, answer.headers);
    return answer.body;
  };

  const post = async (handle: (request: Request) => Promise<Response>, path: string, body: unknown) => {
    const requestId = `mine-${requestIds.length}`;
    requestIds.push(requestId);
    const response = await handle(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${good.token}`,
          "content-type": "application/json",
          "x-request-id": requestId,
        },
        body: JSON.stringify(body),
      }),
    );
    answers.push(await response.text());
  };
  const graphql = createGraphqlHandler(() => t.db);
  const askGraphql = (call: string, variables?: object) => {
    const query = `mutation${variables ? "($c: Credentials)" : ""} { ${call} }`;
    return post(graphql, "/api/graphql", { query, variables });
  };
  const trpc = createTrpcHandler(t.db);
  const askTrpc = (name: string, input: object) => post(trpc, `/api/trpc/${name}`, { json: input });

  const basic = { type: "basic", username: "mira", password: SECRETS.basic };
  const source = await call("POST", "/sources", {
    type: "rss",
    name: "Guarded",
    credentials: basic,
    feeds: [{ externalKey: `http://127.0.0.1:9/feed?key=${SECRETS.feedUrl}` }],
  });
  const ids: Record<string, string> = { sourceId: source.id, feedId: source.feeds[0].id };
  await call("PATCH", `/sources/${source.id}`, { credentials: { type: "bearer", token: SECRETS.bearer } });
  const run = await call("POST", `/feeds/${ids.feedId}/sync?wait=5`);
  ids.runId = run.runId;
  await call("POST", `/feeds/${ids.feedId}/documents`, { documents: [{ id: "a" }, { id: 7.5 }] });
  // The one answer that may show its signing secret: it goes nowhere else.
  const webhook = await send("POST", "/webhooks", {
    url: `http://127.0.0.1:9/hook?key=${SECRETS.webhookUrl}`,
    events: ["run.failed"],
  });
  ids.webhookId = webhook.body.id;
  const test = await call("POST", `/webhooks/${ids.webhookId}/test`);
  ids.deliveryId = test.id;
  // Refusals, too.
  await call("GET", "/sources", undefined, revoked.token);
  await call("GET", "/sources", undefined, `${good.token.slice(0, -3)}AAA`);
  await call("GET", `/sources?token=${good.token}`);
  await call("POST", "/sources", { type: "rss", name: 7, credentials: basic });
  await call("POST", "/sources", `{"credentials":{"password":"${SECRETS.basic}`);
  await call("POST", "/sources", `{"credentials":{"token":${SECRETS.unquoted}}}`);
  await call("POST", "/sources", { type: "nope", name: "Nope", credentials: basic });
  await askGraphql(
    `createSource(type: "rss", name: "By GraphQL", credentials: { type: "basic", username: "mira", password: "${SECRETS.basic}" }) { id hasCredentials }`,
  );
  // Mistakes, which graphql likes to quote.
  await askGraphql(
    `createSource(type: "rss", name: "x", credentials: { type: "basic", pasword: "${SECRETS.basic}" }) { id }`,
  );
  await askGraphql(
    `createSource(type: "rss", name: "x", credentials: { type: "basic", password "${SECRETS.basic}" }) { id }`,
  );
  await askGraphql(
    `createSource(type: "rss", name: "x", credentials: { type: "bearer", token: ${SECRETS.unquoted} }) { id }`,
  );
  await askGraphql(`createSource(type: "rss", name: "x", credentials: "${SECRETS.bearer}") { id }`);
  await askGraphql('createSource(type: "rss", name: 7, credentials: $c) { id }', {
    c: { type: "bearer", tokn: SECRETS.bearer },
  });
  await askTrpc("sources.create", {
    type: "rss",
    name: "By tRPC",
    credentials: { type: "bearer", token: SECRETS.bearer },
  });
  await askTrpc("sources.create", {
    type: "rss",
    name: 7,
    credentials: { type: "basic", pasword: SECRETS.basic },
  });
  for (const table of ["sources", "feeds", "runs", "tokens", "opml"]) {
    const principal = { caller, scopes: new Set(SCOPES), role: null, userId, tokenId: null };
    const who = { principal, requestId: "req_export" };
    answers.push(await (await answerExport(t.db, table, new URLSearchParams(), who)).text());
  }
  const metrics = new Request("http://localhost/api/metrics", {
    headers: { authorization: `Bearer ${good.token}` },
  });
  answers.push(await (await answerMetrics(metrics, () => t.db)).text());
  for (const { method, path } of routes) {
    if (method !== "get" || path === "/changes/stream") continue;
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "x");
    await call("GET", path.endsWith("by-external-id") ? `${at}?id=a` : at);
  }

  const secrets = [...Object.values(SECRETS), good.token, revoked.token, webhook.body.secret as string];
  const written = { answers: answers.join("\n"), log: lines.join(""), rows: await dumpDatabase() };
  expect(written.answers).toContain(ids.feedId);
  expect(written.log).toContain(requestIds[0]);
  expect(written.rows).toContain(email);
  for (const [where, text] of Object.entries(written)) {
    for (const secret of secrets) {
      for (const form of [
        secret,
        Buffer.from(secret).toString("base64"),
        Buffer.from(secret).toString("hex"),
      ]) {
        expect(text.includes(form), `${form.slice(0, 6)}… stands in the ${where}`).toBe(false);
      }
    }
  }

  const requests = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "request" || msg === "refused");
  expect(requests.length).toBeGreaterThanOrEqual(requestIds.length);
  for (const { requestId } of requests) expect(requestIds).toContain(requestId);
});

/** Every row of every table, the vault's too: what is sealed there must not be readable either. */
async function dumpDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: t.url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const rows: string[] = [];
    for (const { name } of tables) {
      const all = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      rows.push(...all.rows.map(({ row }) => row));
    }
    return rows.join("\n");
  } finally {
    await client.end();
  }
}
