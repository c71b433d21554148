import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import ts from "typescript";
import { explainViolation } from "./lib/import-rules.mjs";
import { root } from "./lib/project.mjs";

/** Checks that imports point one way. Part of `npm run lint`. */
const FOLDERS = [
  "adapters",
  "app",
  "bench",
  "cli",
  "components",
  "e2e",
  "sdk",
  "scripts",
  "server",
  "test",
  "trpc",
];
const SKIPPED = new Set(["node_modules", "generated", "fixtures"]);

let broken = 0;
for (const file of FOLDERS.flatMap(listSources)) {
  for (const found of readImports(file)) {
    const reason = explainViolation(found);
    if (!reason) continue;
    broken += 1;
    console.error(`${file}:${found.line} imports ${found.to}\n  ${reason}`);
  }
}
if (broken > 0) {
  console.error(`\n${broken} import${broken === 1 ? "" : "s"} in the wrong direction.`);
  process.exit(1);
}
console.log("Imports point one way.");

function listSources(path) {
  const absolute = join(root, path);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listSources(child);
    return /\.(ts|tsx|mjs)$/.test(entry.name) ? [child] : [];
  });
}

/** Static and dynamic imports of our own files, as paths from the root without an extension. */
function readImports(file) {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const client = /^\s*["']use client["']/.test(text);
  const imports = [];
  const add = (node, specifier, typeOnly) => {
    const to = resolveOwn(file, specifier);
    if (!to) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    imports.push({ from: file, to, typeOnly, client, line });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      add(node, node.moduleSpecifier.text, isTypeOnly(node.importClause));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node, node.moduleSpecifier.text, node.isTypeOnly);
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      add(node, node.arguments[0].text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

function isTypeOnly(clause) {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  return (
    !clause.name && !!names && ts.isNamedImports(names) && names.elements.every((name) => name.isTypeOnly)
  );
}

function resolveOwn(file, specifier) {
  const path = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? posix.normalize(posix.join(dirname(file), specifier))
      : null;
  if (path === null) return null;
  return relative(root, join(root, path)).replace(/\.(tsx?|mjs|js)$/, "");
}
