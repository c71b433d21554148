import { AppError } from "@/server/errors";

/** @throws AppError feed_deleting: nothing about such a feed can be changed any more. */
export function refuseDeleting(feed: { state: string }): void {
  if (feed.state === "deleting") throw new AppError("feed_deleting", "This feed is being deleted.");
}
