/**
 * Called by Next once when a server process begins. The scheduler lives in the process that serves,
 * so that `npm run up` needs no second one; with a hosted scheduler TIDEMARK_SCHEDULER=off. The REST
 * API is left where our own server reaches it without a detour.
 */
export async function register(): Promise<void> {
  // Spelled out for the bundler, which drops what follows from the edge build; and `next build` may
  // come by here without a database.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NEXT_PHASE === "phase-production-build" || !process.env.DATABASE_URL) return;
  const { startSchedulerWithServer } = await import("@/server/jobs/start-with-server");
  startSchedulerWithServer();
  const { serveRestDirectly } = await import("@/server/rest/serve-directly");
  serveRestDirectly();
}
