/** `@tidemark/client`: what runs in Node and in browsers. What needs files is in `@tidemark/client/node`. */
export { type ClientCode, type ErrorFacts, type FieldProblem, TidemarkError } from "./errors.ts";
export { followChanges } from "./follow/follow-changes.ts";
export type {
  Apply,
  FollowOptions,
  FollowStatus,
  FollowSummary,
  PositionStore,
  Step,
} from "./follow/options.ts";
export type { ConnectionOptions } from "./http/connection.ts";
export type { Checkpoint, PushItems, PushOptions, PushStatus, PushSummary } from "./push/options.ts";
export { pushDocuments } from "./push/push-documents.ts";
export { createMemoryStore } from "./stores/memory-store.ts";
export type {
  Change,
  ChangeDocument,
  CursorOutcome,
  Delete,
  ExpiredReason,
  FeedCursor,
  JsonObject,
  JsonValue,
  PushDocument,
  Rejection,
  Upsert,
  Warning,
} from "./wire.ts";
