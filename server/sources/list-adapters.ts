import { z } from "zod";
import { adapters } from "@/adapters/registry";
import type { Credentials, WatermarkType } from "@/sdk/adapter";
import { decodeAfterSeq, limitOf, type Page, type PageInput, toPage } from "@/server/paging";

export type ApiAdapter = {
  type: string;
  name: string;
  description: string;
  /** The catalogue's heading above it. */
  category: string;
  /** The services it is made for, as host names; empty = any. */
  hosts: readonly string[];
  watermark: WatermarkType;
  auth: readonly Credentials["type"][];
  /** What to enter for a way to authenticate, for people. */
  authHints: Partial<Record<Credentials["type"], string>>;
  /** Can it look for feeds behind an address? */
  canDiscover: boolean;
  /** May it find several feeds, and more of them later? */
  discoversMany: boolean;
  /** Can a connection be tried before it is saved? */
  canCheck: boolean;
  /** JSON Schema (2020-12) of a source's config. */
  configSchema: Record<string, unknown>;
  /** What a feed's externalKey means, for people. */
  externalKey: string;
  externalKeyIsUrl: boolean;
  runsOn: readonly ("cloud" | "agent")[];
};

/** What this server can connect to. */
export function listAdapters(): ApiAdapter[] {
  return adapters.map((adapter) => ({
    type: adapter.type,
    name: adapter.name,
    description: adapter.description,
    category: adapter.category ?? "Other",
    hosts: adapter.hosts ?? [],
    watermark: adapter.watermark,
    auth: adapter.auth,
    authHints: adapter.authHints ?? {},
    canDiscover: adapter.discover !== undefined,
    discoversMany: adapter.discover !== undefined && adapter.discoversMany === true,
    canCheck: adapter.checkConnection !== undefined,
    // `input`: what a person may send, before defaults are filled in.
    configSchema: z.toJSONSchema(adapter.config, { io: "input", unrepresentable: "any" }) as Record<
      string,
      unknown
    >,
    externalKey: adapter.externalKey,
    externalKeyIsUrl: adapter.externalKeyIsUrl ?? false,
    runsOn: adapter.runsOn,
  }));
}

/** The same as a list like any other. Their number in the registry is their place. */
export function pageAdapters(input: PageInput): Page<ApiAdapter> {
  const limit = limitOf(input);
  const after = decodeAfterSeq("adapters", input.after);
  const rows = listAdapters()
    .map((adapter, index) => ({ adapter, index }))
    .filter(({ index }) => after === null || index > after);
  return toPage(rows, {
    list: "adapters",
    limit,
    positionOf: ({ index }) => String(index),
    map: ({ adapter }) => adapter,
  });
}
