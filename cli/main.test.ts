import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runCommand } from "@/cli/commands";
import { UsageError } from "@/cli/io";
import { authenticateToken } from "@/server/access/authenticate-token";
import { signIn } from "@/server/access/sign-in";
import { useDatabase } from "@/test/database";

const t = useDatabase();
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Runs the command the way scripts/cli.mjs does. */
function cli(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", "cli/main.ts", ...args], {
      cwd: ROOT,
      env: { ...process.env, LOG_LEVEL: "info", DATABASE_URL: t.url, ...env },
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

it("takes a fresh installation to a working token and ends it again", async () => {
  const early = await cli(["token", "create", "--name", "x", "--scopes", "all"]);
  expect(early).toMatchObject({ code: 1, out: "", err: expect.stringContaining("user create") });

  const owner = ["--email", "Mira@Example.org", "--password", "ebb and flow"];
  const refused = await cli(["user", "create", ...owner, "--role", "viewer"]);
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--role owner") });
  expect(await cli(["user", "create", ...owner, "--role", "owner", "--name", "Mira"])).toMatchObject({
    code: 0,
    out: "",
    err: expect.stringContaining("owner of workspace 1"),
  });
  expect(await cli(["user", "create", ...owner, "--role", "owner"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("already"),
  });
  expect((await cli(["user", "list"])).out).toMatch(/^usr_\S+ +mira@example\.org +Mira +owner +1$/m);

  const created = await cli([
    "token",
    "create",
    "--name",
    "Importer",
    "--scopes",
    "all",
    "--expires-days",
    "3",
  ]);
  expect(created.code).toBe(0);
  expect(created.out).toMatch(/^tdm_1_[A-Za-z0-9_-]{43}\n$/); // the token alone
  const header = `Bearer ${created.out.trim()}`;
  const { tokenId } = await authenticateToken(t.db, header);
  expect((await cli(["token", "list"])).out).toMatch(
    new RegExp(`^${tokenId} +Importer +tdm_1_\\S+ +all +20`, "m"),
  );

  expect(await cli(["token", "revoke", tokenId ?? ""])).toMatchObject({ code: 0, out: "" });
  const deadline = Date.now() + 1_000;
  const works = () =>
    authenticateToken(t.db, header).then(
      () => true,
      () => false,
    );
  while (await works()) expect(Date.now()).toBeLessThan(deadline);
  expect((await cli(["token", "list"])).out).toContain("revoked 20");

  const reset = await cli(["user", "reset-password", "--email", "mira@example.org"]);
  expect(reset).toMatchObject({ code: 0, out: expect.stringMatching(/^[A-Za-z2-9]{20}\n$/) });
  const password = reset.out.trim();
  expect(await signIn(t.db, { email: "mira@example.org", password, address: "test" })).toMatchObject({
    sessionVersion: 2,
  });
  const actors = await t.db.auditEntry.findMany({ select: { actor: true } });
  expect(actors.every(({ actor }) => JSON.stringify(actor) === '{"type":"cli"}')).toBe(true);
}, 120_000);

it.each([
  [["bogus"], 'Unknown command "bogus"'],
  [["user", "remove"], "There is: user create, user reset-password, user list"],
  [["user", "create", "--email", "a@example.org"], "Missing: --password, --role."],
  [["token", "create", "--name", "x", "--scopes", "all", "--expire-days", "3"], "--expire-days"],
  [["token", "create", "--name", "x", "--scopes", "sources:read,everything"], 'Unknown scope "everything"'],
  [
    ["token", "create", "--name", "x", "--scopes", "all", "--expires-days", "soon"],
    "--expires-days must be a whole number",
  ],
  [["token", "revoke"], "Missing: ID."],
  [["token", "list", "extra"], 'What is "extra"?'],
])("refuses %j as a usage error with a reason, before it touches anything", async (args, reason) => {
  const write = () => expect.unreachable("it printed something");
  const error = await runCommand(args, { out: write, err: write }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toContain(reason);
});

it("ends with exit code 2 and says where help is", async () => {
  const { code, out, err } = await cli(["bogus"]);
  expect(err).toBe('Unknown command "bogus".\nSee: npm run cli -- --help\n');
  expect({ code, out }).toEqual({ code: 2, out: "" });
}, 60_000);

it("helps without a database", async () => {
  for (const args of [[], ["token", "create", "--help"]]) {
    const { code, out } = await cli(args, { DATABASE_URL: "", TIDEMARK_SECRET: "" });
    expect(code).toBe(0);
    expect(out).toContain("token create --name N --scopes all|a,b");
  }
}, 60_000);

it("says what is wrong when the database does not answer", async () => {
  const { code, err } = await cli(["user", "list"], { DATABASE_URL: "postgresql://x:x@127.0.0.1:9/x" });
  expect(code).toBe(1);
  expect(err).toBe("The database cannot be reached. Is DATABASE_URL right?\n");
}, 60_000);
