import type { Sample } from "./sample";

/** The address of every page, and of each of its states that has one. The last is a page that does not exist. */
export function everyPage(sample: Sample): string[] {
  return [
    "/overview",
    "/sources",
    "/sources?status=deleting",
    "/feeds",
    "/feeds?cause=disabled",
    "/documents",
    "/documents?state=deleted",
    "/documents?view=rejected",
    "/sources/new",
    "/sources/new?type=rss",
    "/sources/new?type=api",
    "/sources/import",
    `/sources/${sample.sourceId}`,
    `/feeds/${sample.feedId}`,
    `/feeds/${sample.feedId}?tab=runs`,
    `/feeds/${sample.feedId}?tab=cursor`,
    `/feeds/${sample.apiFeedId}?tab=rejected`,
    `/documents/${sample.documentId}`,
    "/runs",
    `/runs/${sample.runId}`,
    "/tokens",
    "/tokens?language=python",
    "/changes",
    "/changes?language=javascript",
    "/docs/following-changes",
    "/webhooks",
    `/webhooks/${sample.webhookId}`,
    "/settings",
    "/settings/people",
    "/settings/account",
    "/feeds/nothing",
  ];
}

/** Questions in front of pages, each with an address of its own. */
export function everyQuestion(sample: Sample): string[] {
  return [
    `/sources/${sample.sourceId}?open=add`,
    `/sources/${sample.sourceId}?open=edit`,
    `/sources/${sample.sourceId}?open=delete`,
    `/feeds/${sample.feedId}?open=edit`,
    `/feeds/${sample.feedId}?open=delete`,
    `/feeds/${sample.feedId}?tab=cursor&open=reset&to=run:${sample.runId}`,
    `/webhooks/${sample.webhookId}?delivery=${sample.deliveryId}`,
  ];
}
