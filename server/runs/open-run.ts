import { createGuardedFetch, type GuardedFetchOptions } from "@/adapters/http";
import { createTextMask, secretsOfCredentials, secretsOfUrl } from "@/adapters/http-secrets";
import type { Adapter, Credentials, GuardedFetch, JsonObject, WatermarkType } from "@/sdk/adapter";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { asUnavailable } from "@/server/transaction";
import { openCredential } from "@/server/vault/credentials";
import { type HostKey, refuseDuringCooldown, rememberCooldown } from "./host-cooldown";
import { takeHostSlot } from "./host-slots";

/** What a run needs to know of its feed and source, secrets opened. */
export type OpenedRun = {
  feedId: string;
  externalKey: string;
  name: string | null;
  /** The feed's address with its secrets; never log it. */
  url: string;
  feedConfig: JsonObject;
  state: JsonObject | null;
  watermark: WatermarkType;
  config: unknown;
  credentials: Credentials;
  /** Whom the upstream counts requests against: a credential's id, or "". */
  credentialKey: string;
  mask: (text: string) => string;
};

/**
 * Reads a run's feed and source and opens what the vault keeps for them.
 *
 * @throws AppError feed_not_found; invalid_request when the source's config does not fit its adapter.
 * @throws CredentialUnreadable
 */
export async function openRun(
  db: Db,
  { workspaceId }: Caller,
  feedId: string,
  adapter: Adapter,
): Promise<OpenedRun> {
  const feed = await db.feed.findUnique({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    include: { source: true },
  });
  if (!feed) throw new AppError("feed_not_found", "The feed was deleted.");
  const config = adapter.config.safeParse(feed.source.config);
  if (!config.success) {
    const fields = config.error.issues.map(
      ({ path, message }) => `${path.join(".") || "config"}: ${message}`,
    );
    throw new AppError(
      "invalid_request",
      `The source's settings do not fit its adapter (${fields.join("; ")}). Edit them.`,
    );
  }
  const credentials = await openSourceCredentials(db, workspaceId, feed.source.credentialId);
  const url = await openFeedUrl(db, workspaceId, feed);
  return {
    feedId,
    externalKey: feed.externalKey,
    name: feed.name,
    url,
    feedConfig: feed.config as JsonObject,
    state: feed.adapterState as JsonObject | null,
    watermark: feed.watermark ?? adapter.watermark,
    config: config.data,
    credentials,
    credentialKey: feed.source.credentialId ?? feed.credentialId ?? "",
    mask: createUpstreamMask(credentials, url),
  };
}

/** Takes what is secret in these out of texts. */
export function createUpstreamMask(credentials: Credentials, address: string): (text: string) => string {
  return createTextMask([...secretsOfCredentials(credentials), ...secretsOfAddress(address)]);
}

export async function openSourceCredentials(
  db: Db,
  workspaceId: number,
  id: string | null,
): Promise<Credentials> {
  if (id === null) return { type: "none" };
  const secret = await openCredential(db, workspaceId, id);
  return secret.type === "url" || secret.type === "webhook" ? { type: "none" } : secret;
}

async function openFeedUrl(
  db: Db,
  workspaceId: number,
  feed: { credentialId: string | null; externalKey: string },
): Promise<string> {
  if (feed.credentialId === null) return feed.externalKey;
  const secret = await openCredential(db, workspaceId, feed.credentialId);
  return secret.type === "url" ? secret.url : feed.externalKey;
}

function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  return [...secretsOfUrl(url), ...[url.password, decode(url.password)].filter((part) => part !== "")];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The adapter's fetch: guarded, at most two requests in flight per host and credential, no request
 * during a cooldown, and every wait that an answer asks for remembered.
 */
export function createRunFetch(
  db: Db,
  { workspaceId }: Caller,
  opened: Pick<OpenedRun, "url" | "credentials" | "credentialKey">,
  {
    adapter,
    signal,
    now,
    onRequest,
    overrides,
  }: {
    adapter: Adapter;
    signal: AbortSignal;
    now: () => Date;
    onRequest: GuardedFetchOptions["onRequest"];
    overrides?: Partial<GuardedFetchOptions>;
  },
): GuardedFetch {
  const keyOf = (host: string) => ({ workspaceId, host, credentialKey: opened.credentialKey });
  const guarded = createGuardedFetch({
    allowPrivateNetworks: env()
      .TIDEMARK_ALLOW_PRIVATE_NETWORKS.split(",")
      .map((cidr) => cidr.trim())
      .filter((cidr) => cidr !== ""),
    exemptOrigin: env().TIDEMARK_DEMO_ORIGIN,
    credentials: opened.credentials,
    // The source's password was given for this site, not for wherever its pages point.
    credentialOrigin:
      adapter.externalKeyIsUrl && URL.canParse(opened.url) ? new URL(opened.url).origin : undefined,
    onRequest,
    limiter: (host) => blamingDatabase(() => takeTurn(db, keyOf(host), signal)),
    now,
    ...overrides,
  });
  return async (url, init = {}) => {
    const signals = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
    const response = await guarded(url, { ...init, signal: signals });
    const key = keyOf(new URL(response.url).host);
    await blamingDatabase(() => rememberCooldown(db, key, response, now()));
    return response;
  };
}

async function takeTurn(db: Db, key: HostKey, signal: AbortSignal): Promise<() => void> {
  await refuseDuringCooldown(db, key);
  const release = await takeHostSlot(db, key, signal);
  // Whoever held the place before may have been told to wait.
  await refuseDuringCooldown(db, key).catch((error: unknown) => {
    release();
    throw error;
  });
  return release;
}

/** An adapter lets through what its fetch throws; it must not be blamed for a database that is away. */
async function blamingDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error) ?? error;
  }
}
