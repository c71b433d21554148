import type { Adapter } from "@/sdk/adapter";
import { rss } from "./rss";
import { substack } from "./substack";

/** Every adapter this build knows. A new one adds its line here and nothing anywhere else. */
export const adapters: readonly Adapter[] = [rss as Adapter, substack as Adapter];

const byType = new Map(adapters.map((adapter) => [adapter.type, adapter]));

export function getAdapter(type: string): Adapter | undefined {
  return byType.get(type);
}
