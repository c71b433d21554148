/**
 * Which folder may import which: app → trpc → server → adapters → sdk, never back. The message of a
 * broken rule says where the code should go instead.
 *
 * An import is `{ from, to, typeOnly, client }`: paths from the root, whether only types are imported,
 * whether the importing file begins with "use client".
 */
const LAYERS = {
  app: {
    may: ["app", "components", "trpc", "server", "adapters", "sdk"],
    else: "app/ is served to people: test, cli and script code cannot be part of it.",
  },
  components: {
    may: ["components"],
    else: "components/ has no domain: pass it in as props, or move the component beside the route that needs it.",
  },
  trpc: {
    may: ["trpc", "server"],
    else: "trpc/ only connects React with the router: what it needs belongs to server/ or to the page.",
  },
  server: {
    may: ["server", "adapters", "sdk"],
    else: "server/ must not know who shows its results: move what both need down into server/ or sdk/.",
  },
  adapters: {
    may: ["adapters", "sdk"],
    else: "adapters/ also run on other machines, without our server: move what both need into sdk/.",
  },
  sdk: {
    may: ["sdk"],
    else: "sdk/ is for other people's code and imports nothing of ours: move it the other way.",
  },
  cli: {
    may: ["cli", "server", "adapters", "sdk"],
    else: "cli/ calls use cases: what it shares with pages belongs to server/.",
  },
  bench: {
    may: ["bench", "server", "adapters", "sdk", "scripts"],
    else: "bench/ measures server/ from outside: what it shares with pages belongs to server/.",
  },
  scripts: {
    may: ["scripts", "server", "adapters", "sdk"],
    else: "scripts/ start things: what they share with pages belongs to server/.",
  },
  e2e: {
    may: ["e2e", "scripts", "test"],
    else: "A browser test sees the product from outside: drive it by role and label.",
  },
};

/** @returns why the import is not allowed, or null. */
export function explainViolation({ from, to, typeOnly, client }) {
  const source = folder(from);
  const target = folder(to);
  if (/(^|\/)generated\//.test(to) && from !== "server/db.ts") {
    return "Only server/db.ts knows the generated Prisma client: re-export the type there.";
  }
  if (isTest(from)) return null;
  if (target === "test" && source !== "e2e") return "test/ is for tests alone.";
  if (/\.test$/.test(to)) return "A test file is nobody's library: move the helper into test/.";
  const layer = LAYERS[source];
  if (layer && target in { ...LAYERS, e2e: 1 } && !layer.may.includes(target)) return layer.else;
  if (source === "trpc" && target === "server" && !typeOnly && !/^trpc\/server\.tsx?$/.test(from)) {
    return "Of trpc/ only server.ts may run server/ code; the rest is sent to browsers and imports its types alone.";
  }
  if (client && target === "server" && !typeOnly && !/\/(schema|choices|sign-in-error)$/.test(to)) {
    return 'A "use client" file is sent to browsers: import types, a schema.ts or choices.ts, or fetch through tRPC.';
  }
  return null;
}

function folder(path) {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

function isTest(path) {
  return /\.test\.tsx?$/.test(path) || path.startsWith("test/") || path.startsWith("adapters/testing/");
}
