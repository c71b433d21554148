import type { ConnectionCheck, JsonObject } from "@/sdk/adapter";
import { AppError } from "@/server/errors";
import { splitSecretUrl } from "@/server/vault/feed-url";
import { askContext, translateFailure } from "./ask-upstream";
import { checkConfig, checkCredentials, requireType } from "./check-config";
import type { CheckConnectionInput } from "./schema";

/**
 * Tries whether a feed can be read, before it is saved. Nothing is stored.
 *
 * @throws AppError invalid_request with paths; upstream_failed with what to do.
 */
export async function checkConnection(
  input: CheckConnectionInput,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  const adapter = requireType(input.type);
  const config = checkConfig(adapter, input.config ?? {});
  if (input.credentials) checkCredentials(adapter, input.credentials);
  if (!adapter?.checkConnection) {
    const message = `Sources of type "${input.type}" have no connection test.`;
    throw new AppError("invalid_request", message, { fields: [{ path: "type", code: "no_check", message }] });
  }
  const { checkConnection: check } = adapter;
  const externalKey = adapter.externalKeyIsUrl
    ? splitSecretUrl(input.externalKey).externalKey
    : input.externalKey;
  const feed = {
    id: "check",
    externalKey,
    url: input.externalKey,
    name: null,
    config: (input.feedConfig ?? {}) as JsonObject,
    state: null,
  };
  const context = askContext(adapter.config.parse(config), input.credentials ?? { type: "none" }, signal);
  return translateFailure(() => check.call(adapter, { ...context, feed }));
}
