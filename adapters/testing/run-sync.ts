/** The walk that the contract makes, under the names that adapters' own tests use. */
export {
  emptyMemory,
  type FeedMemory,
  liveIds,
  type WalkRecord as SyncRecord,
  type WalkSetup as SyncSetup,
  walkAdapter as runSync,
} from "@/sdk/contract/walk-adapter";
