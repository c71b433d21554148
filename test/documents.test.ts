import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import { type ErrorCode, HTTP_STATUS } from "@/server/errors";
import { routes } from "@/server/rest/app";
import { codesOf } from "@/server/rest/describe-api";
import { ERROR_TEXTS, statusOf } from "@/server/rest/reference/error-texts";
import { useDatabase } from "./database";
import { createCaller, createFeed } from "./factories";
import { blocksOf, hasPython, type SnippetRunner, startSnippetRunner } from "./run-snippets";

const root = join(import.meta.dirname, "..");
const documents = [
  "README.md",
  ...(await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
];
const canRunPython = await hasPython();

const t = useDatabase();
let runner: SnippetRunner;
let env: Record<string, string>;

beforeAll(async () => {
  runner = await startSnippetRunner(t.db, t.url);
  const caller = await createCaller(t.db);
  const feed = await createFeed(t.db, caller);
  const { token } = await createToken(t.db, caller, { name: "docs", scopes: SCOPES });
  env = { TOKEN: token, FEED: feed.id };
});
afterAll(() => runner.stop());

const read = (name: string) => readFile(join(root, name), "utf8");

describe("snippets", () => {
  for (const name of documents) {
    it(`of ${name} do what they say`, async ({ skip }) => {
      const blocks = blocksOf(await read(name));
      const shell = blocks.filter(
        ({ language, text }) => language === "sh" && /\bcurl |token create/.test(text),
      );
      const python = blocks.filter(({ language }) => language === "python");
      if (shell.length > 0) {
        const output = await runner.shell(
          shell.map(({ text }) => text),
          env,
        );
        expect(output).not.toContain('"type":"about:blank"');
        expect(output).not.toContain('"errors":[');
      }
      if (python.length > 0 && !canRunPython)
        skip(`python3 is not installed: the Python of ${name} was not run`);
      for (const { text } of python) expect(await runner.python(text, env)).not.toBe("");
    });
  }

  it("push and read back what the README says", async () => {
    const [document] = await t.db.document.findMany({ where: { externalId: "a-17" } });
    if (!document) return; // in an order in which the README comes later
    expect(document.title).toBe("Ebb");
  });
});

describe("the documents", () => {
  it("link to what there is", async () => {
    for (const name of documents) {
      for (const [, target = ""] of (await read(name)).matchAll(/\]\((?!https?:)([^)#\s]+)/g)) {
        await expect(
          readFile(join(root, name, "..", target)).catch((error) => error.code),
          `${name} → ${target}`,
        ).resolves.not.toBe("ENOENT");
      }
    }
  });

  it("name every code of an error with its status", async () => {
    const text = await read("docs/errors.md");
    for (const code of Object.keys(ERROR_TEXTS) as (keyof typeof ERROR_TEXTS)[]) {
      if (code === "internal_error" || code === "method_not_allowed" || code in HTTP_STATUS) {
        expect(text, code).toMatch(new RegExp(`\\| [\\d, ]*${statusOf(code as ErrorCode)} \\| \`${code}\``));
      }
    }
  });

  it("name every scope", async () => {
    const text = await read("docs/authentication.md");
    for (const scope of SCOPES) expect(text).toContain(`| \`${scope}\` |`);
  });

  it("list every operation in docs/api.md with its scope and its own errors", async () => {
    const rows = (await read("docs/api.md"))
      .split("\n")
      .filter((line) => /^\| `(GET|POST|PATCH|DELETE) [^|]+ \| [^|]+ \| `/.test(line));
    const common = new Set([
      "unauthenticated",
      "forbidden",
      "rate_limited",
      "internal_error",
      "unavailable",
      "invalid_request",
      "malformed_json",
      "body_too_large",
      "unsupported_encoding",
    ]);
    const expected = routes.map((route) => {
      const own = codesOf(route).filter((code) => !common.has(code));
      return `| \`${route.method.toUpperCase()} /api/v1${route.path}\` | ${route.summary} | \`${route.scope}\` | ${own.map((code) => `\`${code}\``).join(", ")} |`;
    });
    expect(rows.sort()).toEqual(expected.sort());
  });
});
