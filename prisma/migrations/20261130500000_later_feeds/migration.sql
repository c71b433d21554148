-- Feeds that appear later: where a source was connected, when that is looked at again and what came of
-- it; and which feeds are not to be added by themselves.

ALTER TABLE "sources"
  ADD COLUMN "adds_new_feeds" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "look_address" TEXT COLLATE "C",
  ADD COLUMN "look_credential_id" TEXT COLLATE "C",
  ADD COLUMN "next_look_at" TIMESTAMPTZ(6),
  ADD COLUMN "last_look_at" TIMESTAMPTZ(6),
  ADD COLUMN "look_lease_until" TIMESTAMPTZ(6),
  ADD COLUMN "look_attempt" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "look_failures" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "look_error" JSONB,
  ADD COLUMN "look_result" JSONB;

-- No foreign key: deleting a feed writes here while it holds the feed's lock, and a lock on
-- the source behind it would turn the order (source before feed) around.
CREATE TABLE "refused_feeds" (
  "workspace_id" INTEGER NOT NULL,
  "source_id" TEXT COLLATE "C" NOT NULL,
  "key_hash" BYTEA NOT NULL,
  "external_key" TEXT COLLATE "C" NOT NULL,
  "reason" TEXT COLLATE "C" NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

  CONSTRAINT "refused_feeds_pkey" PRIMARY KEY ("workspace_id", "source_id", "key_hash")
);

-- Who is due, over all workspaces; few sources look for feeds by themselves.
CREATE INDEX "sources_due_looks" ON "sources" ("next_look_at") WHERE "adds_new_feeds" AND "state" = 'active';
