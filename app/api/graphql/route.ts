import { db } from "@/server/db";
import { createGraphqlHandler } from "@/server/graphql/handle-request";

export const dynamic = "force-dynamic";

const handle = createGraphqlHandler(db);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
