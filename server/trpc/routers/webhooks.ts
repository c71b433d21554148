import { createEndpoint } from "@/server/webhooks/create-endpoint";
import { deleteEndpoint } from "@/server/webhooks/delete-endpoint";
import { getDelivery, listDeliveries } from "@/server/webhooks/deliveries";
import { getEndpoint, listEndpoints } from "@/server/webhooks/endpoints";
import { resendDelivery } from "@/server/webhooks/resend-delivery";
import { rotateSecret } from "@/server/webhooks/rotate-secret";
import {
  byDelivery,
  byEndpoint,
  createEndpointInput,
  listDeliveriesInput,
  rotateInput,
  updateEndpointInput,
} from "@/server/webhooks/schema";
import { testEndpoint } from "@/server/webhooks/test-endpoint";
import { updateEndpoint } from "@/server/webhooks/update-endpoint";
import { procedureWith, router } from "../init";

const manage = procedureWith("admin");

export const webhooksRouter = router({
  list: manage.query(({ ctx }) => listEndpoints(ctx.db, ctx.caller)),
  get: manage.input(byEndpoint).query(({ ctx, input }) => getEndpoint(ctx.db, ctx.caller, input)),
  /** `secret` is in this answer and never again. */
  create: manage
    .input(createEndpointInput)
    .mutation(({ ctx, input }) => createEndpoint(ctx.db, ctx.caller, input)),
  update: manage
    .input(updateEndpointInput)
    .mutation(({ ctx, input }) => updateEndpoint(ctx.db, ctx.caller, input)),
  delete: manage.input(byEndpoint).mutation(({ ctx, input }) => deleteEndpoint(ctx.db, ctx.caller, input)),
  /** `secret` is in this answer and never again. */
  rotate: manage.input(rotateInput).mutation(({ ctx, input }) => rotateSecret(ctx.db, ctx.caller, input)),
  test: manage.input(byEndpoint).mutation(({ ctx, input }) => testEndpoint(ctx.db, ctx.caller, input)),
  deliveries: manage
    .input(listDeliveriesInput)
    .query(({ ctx, input }) => listDeliveries(ctx.db, ctx.caller, input)),
  delivery: manage.input(byDelivery).query(({ ctx, input }) => getDelivery(ctx.db, ctx.caller, input)),
  resend: manage.input(byDelivery).mutation(({ ctx, input }) => resendDelivery(ctx.db, ctx.caller, input)),
});
