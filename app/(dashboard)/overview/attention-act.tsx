"use client";

import { useState } from "react";
import { useFeedBulk } from "@/app/(dashboard)/_bulk/use-bulk-acts";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import type { Overview } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Button, ButtonLink } from "@/components/button";
import { countOf } from "@/components/numbers";
import { useTRPCClient } from "@/trpc/client";

type Attention = Overview["attention"][number];

/** What to do about a cause: for all its feeds at once where that makes sense, else where it is done. */
export function AttentionAct({ item }: { item: Attention }) {
  const viewer = useViewer();
  const client = useTRPCClient();
  const start = useFeedBulk();
  const [isReading, setReading] = useState(false);
  const { bulk } = item.action;

  async function actOnAll(act: "sync" | "resume") {
    setReading(true);
    try {
      start(act, (await client.feeds.matching.query({ cause: item.cause })).feeds);
    } catch (error) {
      toastError(error, "Nothing was started");
    } finally {
      setReading(false);
    }
  }

  return (
    <>
      {bulk && viewer.canWrite && (
        <Button size="sm" pendingLabel={isReading && "Starting"} onClick={() => void actOnAll(bulk)}>
          {bulk === "sync" ? "Sync" : "Resume"} {countOf(item.count, "feed")}
        </Button>
      )}
      {item.action.kind !== "sync" && item.action.kind !== "resume" && (
        <ButtonLink href={placeOf(item)} size="sm">
          {item.action.label}
        </ButtonLink>
      )}
    </>
  );
}

/** Right to the question where it concerns one feed, to the list where it concerns several. */
function placeOf({ cause, action, count, feeds }: Attention): string {
  const [feed] = feeds;
  const list = `/feeds?cause=${encodeURIComponent(cause)}`;
  if (count !== 1 || !feed) return action.kind === "review_rejections" ? "/documents?view=rejected" : list;
  const page = `/feeds/${feed.feedId}`;
  switch (action.kind) {
    case "reconnect":
      return `/sources/${feed.sourceId}?open=edit`;
    case "edit":
      return `${page}?open=edit`;
    case "review_rejections":
      return `${page}?tab=rejected`;
    case "look":
      return `${page}?tab=runs`;
    default:
      return page;
  }
}
