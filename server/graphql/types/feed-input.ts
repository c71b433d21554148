import { builder } from "../builder";
import { Watermark } from "./enums";

/** A feed to ensure, as `addFeed` takes it in single arguments. */
export const FeedInput = builder.inputType("FeedInput", {
  fields: (t) => ({
    externalKey: t.string({ required: true, description: "For sites and feeds, the URL." }),
    name: t.string(),
    watermark: t.field({
      type: Watermark,
      description: "Absent: the adapter's; for `api` sources inferred from the first cursor.",
    }),
    config: t.field({ type: "JSON" }),
    intervalSeconds: t.int({ description: "Absent: adaptive." }),
  }),
});
