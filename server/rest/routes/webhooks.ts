import { z } from "@hono/zod-openapi";
import { createEndpoint } from "@/server/webhooks/create-endpoint";
import { deleteEndpoint } from "@/server/webhooks/delete-endpoint";
import { getDelivery, listDeliveries } from "@/server/webhooks/deliveries";
import { getEndpoint, pageEndpoints } from "@/server/webhooks/endpoints";
import { resendDelivery } from "@/server/webhooks/resend-delivery";
import { rotateSecret } from "@/server/webhooks/rotate-secret";
import {
  createEndpointInput,
  deliveryFilter,
  rotateFields,
  updateEndpointFields,
} from "@/server/webhooks/schema";
import { testEndpoint } from "@/server/webhooks/test-endpoint";
import { updateEndpoint } from "@/server/webhooks/update-endpoint";
import { defineRoute } from "../define-route";
import { pageQuery } from "../query";
import { pageOf } from "../schemas";
import {
  deliverySchema,
  deliveryWithAttemptsSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from "../webhook-schemas";

const tag = "Webhooks";
const scope = "admin";
const webhook = { description: "The webhook", schema: webhookSchema };
const delivery = { description: "The delivery, with its attempts", schema: deliveryWithAttemptsSchema };

export const webhookRoutes = [
  defineRoute({
    method: "get",
    path: "/webhooks",
    scope,
    tag,
    summary: "List webhooks",
    description: "Newest first; a workspace has at most 20.",
    query: z.object(pageQuery),
    responses: { 200: { description: "A page of webhooks", schema: pageOf(webhookSchema) } },
    run: async ({ db, caller, query }) => ({ status: 200, body: await pageEndpoints(db, caller, query) }),
  }),
  defineRoute({
    method: "post",
    path: "/webhooks",
    scope,
    tag,
    summary: "Add a webhook",
    description:
      "From now on the chosen events are posted to `url`, signed as Standard Webhooks say. `secret` is in this answer and never again. 409 `conflict` beyond 20 webhooks.",
    body: createEndpointInput,
    responses: { 201: { description: "Added", schema: webhookWithSecretSchema } },
    run: async ({ db, caller, body }) => ({ status: 201, body: await createEndpoint(db, caller, body) }),
  }),
  defineRoute({
    method: "get",
    path: "/webhooks/{webhookId}",
    scope,
    tag,
    summary: "Get a webhook",
    responses: { 200: webhook },
    run: async ({ db, caller, params }) => ({ status: 200, body: await getEndpoint(db, caller, params) }),
  }),
  defineRoute({
    method: "patch",
    path: "/webhooks/{webhookId}",
    scope,
    tag,
    summary: "Change a webhook",
    description:
      "What is left out stays. While `status` is `disabled` no event is kept for it; `enabled` forgets its failures.",
    body: updateEndpointFields,
    responses: { 200: webhook },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await updateEndpoint(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/webhooks/{webhookId}",
    scope,
    tag,
    summary: "Delete a webhook",
    description: "With its delivery log and what was not delivered yet.",
    responses: { 204: { description: "Done" } },
    run: async ({ db, caller, params }) => {
      await deleteEndpoint(db, caller, params);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{webhookId}/test",
    scope,
    tag,
    summary: "Send a test delivery",
    description:
      "Posts a `webhook.test` once and waits for the answer, at most 15 seconds; also while the webhook is disabled. What the receiver answered is in `lastAttempt`; this call is 200 whatever that was.",
    responses: { 200: delivery },
    run: async ({ db, caller, params }) => ({ status: 200, body: await testEndpoint(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{webhookId}/rotate",
    scope,
    tag,
    summary: "Make a new signing secret",
    description:
      "For `overlapSeconds` (a day) deliveries bear both signatures. `secret` is in this answer and never again.",
    body: rotateFields.optional().transform((body) => body ?? {}),
    bodySchema: rotateFields,
    responses: { 200: { description: "The webhook and its new secret", schema: webhookWithSecretSchema } },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await rotateSecret(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/webhooks/{webhookId}/deliveries",
    scope,
    tag,
    summary: "List the deliveries of a webhook",
    description: "Newest first. Finished ones are kept for 30 days, at most 10,000 of a webhook.",
    query: z.object({ ...deliveryFilter, ...pageQuery }),
    responses: { 200: { description: "A page of deliveries", schema: pageOf(deliverySchema) } },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await listDeliveries(db, caller, { ...query, ...params }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/webhooks/{webhookId}/deliveries/{deliveryId}",
    scope,
    tag,
    summary: "Get a delivery",
    description: "With what was sent and every attempt: status, milliseconds, the first 2 KB of the answer.",
    responses: { 200: delivery },
    run: async ({ db, caller, params }) => ({ status: 200, body: await getDelivery(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
    scope,
    tag,
    summary: "Send a delivery again",
    description:
      "The same body under the same `webhook-id`: now, and if that fails for another 24 hours. 409 `conflict` while the webhook is disabled.",
    responses: { 200: delivery },
    run: async ({ db, caller, params }) => ({ status: 200, body: await resendDelivery(db, caller, params) }),
  }),
];
