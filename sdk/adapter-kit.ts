/** `@tidemark/client/adapter`: write an adapter, and run it from your own program. Needs zod 4. */
export {
  type Adapter,
  type AdapterDocument,
  type AdapterFeed,
  type AdapterLog,
  type ConnectionCheck,
  type Credentials,
  type Cursor,
  CursorExpired,
  type DiscoverContext,
  type DiscoveredFeed,
  defineAdapter,
  type GuardedFetch,
  type GuardedFetchInit,
  type GuardedResponse,
  type JsonObject,
  type JsonValue,
  type Page,
  type PollHints,
  type SyncContext,
  UpstreamError,
  type UpstreamErrorCode,
  type WatermarkType,
} from "./adapter.ts";
export { type ClientCode, type ErrorFacts, type FieldProblem, TidemarkError } from "./errors.ts";
export type { ConnectionOptions } from "./http/connection.ts";
export { createHostFetch, type HostFetchOptions } from "./run/host-fetch.ts";
export type { RunError, RunSyncOptions, StateStore, SyncStatus, SyncSummary } from "./run/options.ts";
export { runSync } from "./run/run-sync.ts";
export { throwForStatus } from "./run/throw-for-status.ts";
export type { Rejection, Warning } from "./wire.ts";
