import { Writable } from "node:stream";
import pg from "pg";
import pino from "pino";
import { expect, it, vi } from "vitest";
import { saveCredential } from "@/server/vault/credentials";
import { splitSecretUrl } from "@/server/vault/feed-url";
import { useDatabase } from "@/test/database";
import { audit } from "./audit";
import { authenticateToken } from "./authenticate-token";
import { createUser } from "./create-user";
import { ensureSetupCode } from "./setup";
import { signIn } from "./sign-in";
import { createToken, revokeToken } from "./tokens";
import { changePassword, resetPassword } from "./users";

// Everything logged, at the lowest level.
const lines = vi.hoisted(() => [] as string[]);
vi.mock("@/server/log", () => ({
  log: pino(
    { level: "trace" },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  ),
}));

const t = useDatabase();

it("F43: keeps passwords, tokens, credentials and set-up codes out of every row and log line", async () => {
  const secrets: string[] = [
    "ebb-and-flow-1",
    "ebb-and-flow-2",
    "wrong-guess-3",
    "basic-secret-4",
    "url-secret-5",
  ];
  const setupCode = await ensureSetupCode(t.db);
  const email = "mira@example.org";
  const { userId, workspaceId } = await createUser(
    t.db,
    { type: "cli" },
    { email, password: "ebb-and-flow-1", role: "owner" },
  );
  const caller = { workspaceId, actor: { type: "user", id: userId, name: "Mira" } } as const;

  await signIn(t.db, { email, password: "wrong-guess-3", address: "192.0.2.1" });
  await signIn(t.db, { email, password: "ebb-and-flow-1", address: "192.0.2.1" });
  await changePassword(t.db, caller, {
    userId,
    currentPassword: "ebb-and-flow-1",
    newPassword: "ebb-and-flow-2",
    address: "192.0.2.1",
  });
  const { password } = await resetPassword(t.db, { type: "cli" }, { email });
  const { id, token, prefix } = await createToken(t.db, caller, { name: "Importer", scopes: ["admin"] });
  await authenticateToken(t.db, `Bearer ${token}`);
  await revokeToken(t.db, caller, id);
  await authenticateToken(t.db, `Bearer ${token}`).catch(() => {});
  await saveCredential(t.db, workspaceId, { type: "basic", username: "mira", password: "basic-secret-4" });
  const { externalKey, secretUrl } = splitSecretUrl("https://example.org/feed?key=url-secret-5");
  await saveCredential(t.db, workspaceId, { type: "url", url: secretUrl ?? "" });
  await t.db.$transaction((tx) => audit(tx, caller, "feed.add", null, { externalKey, url: secretUrl }));
  secrets.push(
    password,
    token,
    token.slice(prefix.length),
    setupCode ?? "",
    setupCode?.replaceAll("-", "") ?? "",
  );

  const stored = await dumpDatabase();
  expect(stored).toContain(email); // the dump does see the rows
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    for (const form of [
      secret,
      Buffer.from(secret).toString("hex"),
      Buffer.from(secret).toString("base64"),
    ]) {
      expect(stored.includes(form), `a row holds ${secret}`).toBe(false);
      expect(lines.join("").includes(form), `a log line holds ${secret}`).toBe(false);
    }
  }
});

/** Every row of every table as text; bytes as hex. */
async function dumpDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: t.url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`SELECT row_to_json(r)::text AS text FROM ${name} AS r`);
      texts.push(...rows.map(({ text }) => text as string));
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}
