import { FEED_STATUSES } from "@/server/feeds/choices";
import { WATERMARKS } from "@/server/feeds/schema";
import { EXECUTORS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/choices";
import { SOURCE_STATUSES } from "@/server/sources/choices";
import { builder } from "../builder";

export const SourceStatus = builder.enumType("SourceStatus", { values: SOURCE_STATUSES });
export const FeedStatus = builder.enumType("FeedStatus", { values: FEED_STATUSES });
export const Watermark = builder.enumType("Watermark", { values: WATERMARKS });
export const Executor = builder.enumType("Executor", {
  values: EXECUTORS,
  description: "Who syncs: this server, an agent, or a program of your own.",
});
export const SyncRunStatus = builder.enumType("SyncRunStatus", { values: RUN_STATUSES });
export const SyncRunTrigger = builder.enumType("SyncRunTrigger", { values: RUN_TRIGGERS });
export const SyncRunEnd = builder.enumType("SyncRunEnd", {
  values: ["succeeded", "partial", "failed", "cancelled"] as const,
});
export const DocumentOrder = builder.enumType("DocumentOrder", { values: ["oldest", "newest"] as const });
export const ChangeOp = builder.enumType("ChangeOp", { values: ["upsert", "delete"] as const });
export const CursorOutcome = builder.enumType("CursorOutcome", {
  values: ["advanced", "unchanged", "kept"] as const,
});
export const TransitionOutcome = builder.enumType("TransitionOutcome", {
  values: ["advanced", "unchanged", "kept", "reset", "restart", "resync"] as const,
});
