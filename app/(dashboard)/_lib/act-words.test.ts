import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { actInWords, ownActInWords } from "./act-words";

it("has words for everything that is written down", async () => {
  const actions = new Set<string>();
  const files = await readdir("server", { recursive: true });
  for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    const text = await readFile(join("server", file), "utf8");
    for (const [, action = ""] of text.matchAll(
      /(?:audit|auditInEveryWorkspace)\(\s*tx,[^"]*"([a-z_]+\.[a-z_]+)"/g,
    ))
      actions.add(action);
  }
  expect(actions.size).toBeGreaterThan(25);
  // What has no words is told by its name, without the marks in it.
  const wordless = [...actions].filter((action) => actInWords(action) === action.replaceAll(/[._]/g, " "));
  expect(wordless).toEqual([]);
});

it("tells what people did to themselves by other words", () => {
  expect(actInWords("person.remove")).toBe("removed");
  expect(ownActInWords("person.remove")).toBe("left the workspace");
  expect(ownActInWords("feed.pause")).toBeNull();
});
