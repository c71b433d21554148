import { OpenAPIHono } from "@hono/zod-openapi";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { noteRequest } from "@/server/metrics/note-request";
import { requestIdOf } from "@/server/request-id";
import { BASE_PATH, mountMethodNotAllowed, mountRoute, type Route } from "./define-route";
import { describeApi } from "./describe-api";
import { toProblemResponse } from "./problem";
import { adapterRoutes } from "./routes/adapters";
import { changeRoutes } from "./routes/changes";
import { cursorRoutes } from "./routes/cursors";
import { documentRoutes } from "./routes/documents";
import { feedRoutes } from "./routes/feeds";
import { ingestRoutes } from "./routes/ingest";
import { runRoutes } from "./routes/runs";
import { sourceRoutes } from "./routes/sources";
import { webhookRoutes } from "./routes/webhooks";

/** Everything under /api/v1. The ingest call stands first: it is the one that is called most. */
export const routes: readonly Route[] = [
  ...ingestRoutes,
  ...changeRoutes,
  ...sourceRoutes,
  ...feedRoutes,
  ...cursorRoutes,
  ...documentRoutes,
  ...runRoutes,
  ...adapterRoutes,
  ...webhookRoutes,
];

const OPENAPI_PATH = "/openapi.json";

/** The REST API as a function from Request to Response. `getDb` is asked per request. */
export function createRestApp(getDb: () => Db): OpenAPIHono {
  const app = new OpenAPIHono();
  for (const route of routes) mountRoute(app, getDb, route);
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "cron", { type: "http", scheme: "bearer" });
  let description: string | undefined;
  app.get(BASE_PATH + OPENAPI_PATH, (c) => {
    const startedAt = performance.now();
    description ??= JSON.stringify(describeApi(app, routes));
    c.header("content-type", "application/json");
    c.header("cache-control", "no-store");
    const requestId = requestIdOf(c.req.raw.headers);
    c.header("x-request-id", requestId);
    const { method, path } = c.req;
    noteRequest(path, { requestId, method, path, status: 200, startedAt });
    return c.body(description);
  });
  mountMethodNotAllowed(app, [...routes, { method: "get", path: OPENAPI_PATH }]);
  app.notFound((c) => {
    const { method, path } = c.req;
    const requestId = requestIdOf(c.req.raw.headers);
    noteRequest("none", { requestId, method, path, status: 404, startedAt: performance.now() });
    return toProblemResponse(
      new AppError(
        "not_found",
        "There is nothing at this address. /api/v1/openapi.json lists what there is.",
      ),
      { requestId, method, path },
    );
  });
  app.onError((error, c) =>
    toProblemResponse(error, {
      requestId: requestIdOf(c.req.raw.headers),
      method: c.req.method,
      path: c.req.path,
    }),
  );
  return app;
}
