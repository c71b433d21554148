import type { DiscoveredFeed } from "@/sdk/adapter";
import { AppError } from "@/server/errors";
import { askContext, translateFailure } from "./ask-upstream";
import { checkConfig, checkCredentials, requireType } from "./check-config";
import type { DiscoverInput } from "./schema";

/**
 * Looks for the feeds that a source or a typed address offers.
 *
 * @throws AppError invalid_request with paths; upstream_failed with what to do.
 */
export async function discoverFeeds(
  input: DiscoverInput,
  signal?: AbortSignal,
): Promise<{ feeds: DiscoveredFeed[] }> {
  const adapter = requireType(input.type);
  const config = checkConfig(adapter, input.config ?? {});
  if (input.credentials) checkCredentials(adapter, input.credentials);
  if (!adapter?.discover) {
    const message = `Sources of type "${input.type}" cannot be searched for feeds.`;
    throw new AppError("invalid_request", message, {
      fields: [{ path: "type", code: "no_discovery", message }],
    });
  }
  const { discover } = adapter;
  const context = askContext(adapter.config.parse(config), input.credentials ?? { type: "none" }, signal);
  const feeds = await translateFailure(() =>
    discover.call(adapter, { ...context, input: input.input ?? null }),
  );
  return { feeds };
}
