import { defineAdapter } from "@/sdk/adapter";
import { type Wait, waitForReal } from "./api";
import { substackConfig } from "./config";
import { checkPublication, discoverPublication } from "./discover";
import { syncSubstack } from "./sync";

export const substack = createSubstack(waitForReal);

/** Substack publications, on substack.com or a domain of their own. `wait` paces requests. */
export function createSubstack(wait: Wait) {
  return defineAdapter({
    type: "substack",
    name: "Substack publication",
    description: "Follows a newsletter or podcast on Substack, its whole archive included.",
    category: "Newsletters",
    hosts: ["substack.com"],
    watermark: "date",
    /** `bearer` is a reader's `substack.sid` cookie, for posts they pay for. */
    auth: ["none", "bearer"],
    authHints: { bearer: "The value of your substack.sid cookie, for posts that you pay for." },
    config: substackConfig,
    runsOn: ["cloud", "agent"],
    externalKey: "Address of the publication",
    externalKeyIsUrl: true,
    discover: (ctx) => discoverPublication(ctx, wait),
    checkConnection: (ctx) => checkPublication(ctx, wait),
    sync: (ctx) => syncSubstack(ctx, wait),
  });
}
