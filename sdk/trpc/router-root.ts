import type { TRPCDefaultErrorShape } from "@trpc/server";

/** What an error of the tRPC API carries in `error.data`, beside tRPC's own members. */
export type ErrorData = {
  /** The stable part: the same codes as in REST. */
  appCode: string;
  fields: { path: string; code: string; message: string }[];
  /** What the server's log knows this request by. */
  requestId: string | null;
  /** Members that some codes add, such as `runId` of `run_active`. */
  extra: Record<string, unknown>;
};

/** What all procedures have in common. `transformer: true`: clients need superjson too. */
export type RouterRoot = {
  ctx: object;
  meta: object;
  errorShape: Omit<TRPCDefaultErrorShape, "data"> & { data: TRPCDefaultErrorShape["data"] & ErrorData };
  transformer: true;
};
