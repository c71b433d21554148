-- Outbound webhooks: who is told, and what is or was to be told. A delivery is written by the transaction
-- of what it tells; the sender claims it by lease (server/webhooks/claim-deliveries.ts).

CREATE TABLE "webhook_endpoints" (
  "workspace_id" INTEGER NOT NULL,
  "id" TEXT COLLATE "C" NOT NULL,
  "url" TEXT COLLATE "C" NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "events" TEXT[] NOT NULL,
  "credential_id" TEXT COLLATE "C" NOT NULL,
  "overlap_until" TIMESTAMPTZ(6),
  "state" TEXT COLLATE "C" NOT NULL DEFAULT 'enabled',
  "disabled_by" TEXT COLLATE "C",
  "disabled_reason" TEXT,
  "disabled_at" TIMESTAMPTZ(6),
  "failing_since" TIMESTAMPTZ(6),
  "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
  "last_success_at" TIMESTAMPTZ(6),
  "waits_until" TIMESTAMPTZ(6),
  "changes_epoch" TEXT COLLATE "C",
  "changes_seq" BIGINT NOT NULL DEFAULT 0,
  "changes_at" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

  CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("workspace_id", "id"),
  CONSTRAINT "webhook_endpoints_state" CHECK (
    CASE "state"
      WHEN 'enabled' THEN "disabled_by" IS NULL AND "disabled_reason" IS NULL AND "disabled_at" IS NULL
      WHEN 'disabled' THEN "disabled_by" IN ('person', 'gone', 'failing') AND "disabled_at" IS NOT NULL
      ELSE false
    END)
);

CREATE TABLE "webhook_deliveries" (
  "workspace_id" INTEGER NOT NULL,
  "id" TEXT COLLATE "C" NOT NULL,
  "endpoint_id" TEXT COLLATE "C" NOT NULL,
  "type" TEXT COLLATE "C" NOT NULL,
  "body" TEXT NOT NULL,
  "state" TEXT COLLATE "C" NOT NULL DEFAULT 'pending',
  "claim" INTEGER NOT NULL DEFAULT 0,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(6),
  "lease_until" TIMESTAMPTZ(6),
  "give_up_at" TIMESTAMPTZ(6) NOT NULL,
  "attempts" JSONB NOT NULL DEFAULT '[]',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "finished_at" TIMESTAMPTZ(6),

  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("workspace_id", "id"),
  CONSTRAINT "webhook_deliveries_state" CHECK (
    CASE "state"
      WHEN 'pending' THEN "next_attempt_at" IS NOT NULL AND "finished_at" IS NULL
      WHEN 'delivered' THEN "next_attempt_at" IS NULL AND "lease_until" IS NULL AND "finished_at" IS NOT NULL
      WHEN 'failed' THEN "next_attempt_at" IS NULL AND "lease_until" IS NULL AND "finished_at" IS NOT NULL
      ELSE false
    END),
  CONSTRAINT "webhook_deliveries_workspace_id_endpoint_id_fkey" FOREIGN KEY ("workspace_id", "endpoint_id")
    REFERENCES "webhook_endpoints" ("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- An endpoint's log, newest first.
CREATE INDEX "webhook_deliveries_workspace_id_endpoint_id_id_idx"
  ON "webhook_deliveries" ("workspace_id", "endpoint_id", "id");

-- What is to be sent, by endpoint: a long queue of one does not lie in the way of another's.
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" ("workspace_id", "endpoint_id", "next_attempt_at")
  WHERE "state" = 'pending';

-- What is old enough to go.
CREATE INDEX "webhook_deliveries_finished" ON "webhook_deliveries" ("finished_at") WHERE "state" <> 'pending';
