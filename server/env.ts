import { z } from "zod";

/** The environment, parsed once. Nothing else in server/ or app/ reads process.env. */
const schema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  /** How people and programs reach this server; no trailing slash. */
  TIDEMARK_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  DATABASE_URL: z.string().min(1),
  /** Unpooled, for LISTEN. */
  DATABASE_DIRECT_URL: z.string().optional(),
  /** Where the embedded database, the generated secrets and the backups before changes are. */
  TIDEMARK_DATA_DIR: z.string().default(".data"),
  /** Signs cursors and sessions, seals credentials. */
  TIDEMARK_SECRET: z.string().min(32, "must have at least 32 characters"),
  /** Former values of TIDEMARK_SECRET, comma-separated: they still open what they sealed. */
  TIDEMARK_SECRET_PREVIOUS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .split(",")
        .map((secret) => secret.trim())
        .filter(Boolean),
    ),
  CRON_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  TIDEMARK_SCHEDULER: z.enum(["internal", "off"]).default("internal"),
  /** CIDRs that the guarded fetch may reach although they are private, comma-separated. */
  TIDEMARK_ALLOW_PRIVATE_NETWORKS: z.string().default(""),
  /** One origin exempt from the fetch guard: the demo feeds that the app serves itself. */
  TIDEMARK_DEMO_ORIGIN: z.url().optional(),
  /** How long a run is believed alive without a heartbeat, in seconds. */
  TIDEMARK_LEASE_SECONDS: z.coerce.number().int().min(2).max(3600).default(60),
  /** Requests a second per token over all processes; ten times that in a burst. */
  TIDEMARK_RATE_LIMIT: z.coerce.number().int().min(1).max(1_000_000).default(300),
  /** Requests of one token that this process carries out at the same time; waiting polls are not counted. */
  TIDEMARK_MAX_CONCURRENT: z.coerce.number().int().min(1).max(100_000).default(200),
  /** Largest body of an API request once it is decoded, in MiB. */
  TIDEMARK_MAX_BODY_MIB: z.coerce.number().int().min(1).max(64).default(8),
  /** Long polls and streams of the change feed that may wait in this process; half of them of one token. */
  TIDEMARK_MAX_WAITERS: z.coerce.number().int().min(2).max(100_000).default(2_000),
  /** Who may read /api/metrics: tokens with `admin`, or anybody. */
  TIDEMARK_METRICS: z.enum(["private", "public"]).default("private"),
  /** Connections in this process's pool. */
  TIDEMARK_DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(12),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

export type Env = z.infer<typeof schema>;

let cached: Env | undefined;

/** Parses on first use, not on import: `next build` imports every module without a database. */
export function env(): Env {
  if (cached) return cached;
  const parsed = schema.safeParse(process.env);
  if (!parsed.success) throw new Error(`Invalid environment:\n${z.prettifyError(parsed.error)}`);
  cached = parsed.data;
  return cached;
}
