/**
 * `@tidemark/client/trpc`: the type of the server's tRPC API, for `@trpc/client` 11 with superjson. Types
 * alone: there is nothing here at run time, and nothing of the server in it.
 */
export type { AppRouter } from "./app-router.ts";
export type { ErrorData } from "./router-root.ts";
