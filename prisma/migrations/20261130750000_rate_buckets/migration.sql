-- How many requests a token or person may still make, over all processes (server/access/shared-buckets.ts).
-- Unlogged: after a crash of the database everybody begins with a full bucket, and a block of permits costs
-- no write-ahead log.

CREATE UNLOGGED TABLE "rate_buckets" (
  "key" TEXT COLLATE "C" NOT NULL,
  "permits" DOUBLE PRECISION NOT NULL,
  "filled_at" TIMESTAMPTZ(6) NOT NULL,

  CONSTRAINT "rate_buckets_pkey" PRIMARY KEY ("key")
);
