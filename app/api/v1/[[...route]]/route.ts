import { db } from "@/server/db";
import { createRestApp } from "@/server/rest/app";

export const dynamic = "force-dynamic";

const app = createRestApp(db);

function handle(request: Request): Response | Promise<Response> {
  return app.fetch(request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
