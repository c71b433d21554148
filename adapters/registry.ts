import { type Adapter, UpstreamError } from "@/sdk/adapter";
import { rss } from "./rss";
import { substack } from "./substack";

/** Every adapter this build knows. A new one adds its line here and nothing anywhere else. */
export const adapters: readonly Adapter[] = [rss as Adapter, substack as Adapter];

const byType = new Map(adapters.map((adapter) => [adapter.type, adapter]));

export function getAdapter(type: string): Adapter | undefined {
  return byType.get(type);
}

/** @throws UpstreamError `protocol` for a source whose adapter this build does not have. */
export function requireAdapter(type: string): Adapter {
  const adapter = byType.get(type);
  if (adapter) return adapter;
  throw new UpstreamError("protocol", `This server has no adapter called "${type}".`, { retryable: false });
}
