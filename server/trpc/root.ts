import { createCallerFactory, router } from "./init";
import { accountRouter } from "./routers/account";
import { adaptersRouter } from "./routers/adapters";
import { changesRouter } from "./routers/changes";
import { documentsRouter } from "./routers/documents";
import { feedsRouter } from "./routers/feeds";
import { ingestRouter } from "./routers/ingest";
import { liveRouter } from "./routers/live";
import { opmlRouter } from "./routers/opml";
import { overviewRouter } from "./routers/overview";
import { peopleRouter } from "./routers/people";
import { runsRouter } from "./routers/runs";
import { setupRouter } from "./routers/setup";
import { sourcesRouter } from "./routers/sources";
import { tokensRouter } from "./routers/tokens";
import { webhooksRouter } from "./routers/webhooks";
import { workspaceRouter } from "./routers/workspace";

export const appRouter = router({
  setup: setupRouter,
  workspace: workspaceRouter,
  people: peopleRouter,
  account: accountRouter,
  adapters: adaptersRouter,
  sources: sourcesRouter,
  feeds: feedsRouter,
  documents: documentsRouter,
  changes: changesRouter,
  runs: runsRouter,
  tokens: tokensRouter,
  webhooks: webhooksRouter,
  ingest: ingestRouter,
  overview: overviewRouter,
  opml: opmlRouter,
  live: liveRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures without HTTP: server components and tests. */
export const createCaller = createCallerFactory(appRouter);
