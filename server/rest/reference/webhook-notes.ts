import type { Notes } from "./notes";

export const webhookNotes: Record<string, Notes> = {
  "get /webhooks": { example: { status: 200 } },
  "post /webhooks": {
    errors: ["conflict"],
    example: {
      body: {
        url: "https://hooks.example/tidemark",
        events: ["run.failed", "run.recovered"],
        description: "Pager",
      },
      status: 201,
    },
  },
  "get /webhooks/{webhookId}": { about: "Secrets in `url` are masked.", example: { status: 200 } },
  "patch /webhooks/{webhookId}": {
    errors: ["conflict"],
    example: { body: { status: "disabled" }, status: 200 },
  },
  "delete /webhooks/{webhookId}": { example: { status: 204 } },
  "post /webhooks/{webhookId}/test": { errors: ["conflict"], example: { status: 200 } },
  "post /webhooks/{webhookId}/rotate": {
    about: "`overlapSeconds` from 0, which ends the old secret at once.",
    errors: ["conflict"],
    example: { body: { overlapSeconds: 3600 }, status: 200 },
  },
  "get /webhooks/{webhookId}/deliveries": { example: { query: { status: "delivered" }, status: 200 } },
  "get /webhooks/{webhookId}/deliveries/{deliveryId}": { example: { status: 200 } },
  "post /webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
    errors: ["conflict"],
    example: { status: 200 },
  },
};
