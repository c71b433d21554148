import { listAdapters } from "@/server/sources/list-adapters";
import { procedureWith, router } from "../init";

export const adaptersRouter = router({
  list: procedureWith("sources:read").query(() => listAdapters()),
});
