import type { ObjectRef } from "@pothos/core";
import type { Page } from "@/server/paging";
import { builder } from "../builder";

/** A page of a list, as REST has it. */
export function pageOf<Item extends object>(name: string, item: ObjectRef<SchemaTypes, Item>) {
  return builder.objectRef<Page<Item>>(name).implement({
    fields: (t) => ({
      items: t.field({ type: [item], resolve: (page) => page.items }),
      nextAfter: t.exposeString("nextAfter", {
        nullable: true,
        description: "Goes back as `after`; null on the last page.",
      }),
    }),
  });
}

type SchemaTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

/** Of every list. */
export const PAGE_ARGS = {
  limit: "1 to 200, default 50.",
  after: "`nextAfter` of the page before.",
} as const;
