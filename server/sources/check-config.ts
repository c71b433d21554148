import { getAdapter } from "@/adapters/registry";
import type { Adapter, Credentials } from "@/sdk/adapter";
import { AppError, type FieldError } from "@/server/errors";
import { toFieldErrors } from "@/server/field-errors";

/** The type of sources that only get pushes; the one type without an adapter. */
export const PUSH_TYPE = "api";

/**
 * @returns null for `api`.
 * @throws AppError invalid_request with the path `type` for a type nobody registered.
 */
export function requireType(type: string): Adapter | null {
  if (type === PUSH_TYPE) return null;
  const adapter = getAdapter(type);
  if (adapter) return adapter;
  const message = `There is no adapter "${type}". GET /api/v1/adapters lists them; "api" is for sources that only get pushes.`;
  throw new AppError("invalid_request", message, {
    fields: [{ path: "type", code: "unknown_type", message }],
  });
}

/**
 * Checks a source's preferences against its adapter.
 *
 * @returns what to store: what was sent, without what the schema does not know. Defaults are left
 *   to the adapter, so that they can change with it.
 * @throws AppError invalid_request with paths below `config`.
 */
export function checkConfig<Config extends Record<string, unknown>>(
  adapter: Adapter | null,
  config: Config,
): Config {
  if (!adapter) return config;
  const parsed = adapter.config.safeParse(config);
  if (parsed.success) return config;
  throw refuse(toFieldErrors(parsed.error, "config"));
}

export type RunsOn = "cloud" | "agent" | "api";

/**
 * Where a source's feeds are synced: by this server, by an agent, or by someone's own code.
 *
 * @throws AppError invalid_request with the path `runsOn` where the adapter cannot run.
 */
export function checkRunsOn(adapter: Adapter | null, runsOn: RunsOn | undefined): RunsOn {
  const possible: RunsOn[] = adapter ? [...adapter.runsOn, "api"] : ["api", "agent"];
  const chosen = runsOn ?? possible[0] ?? "api";
  if (possible.includes(chosen)) return chosen;
  const message = `Sources of this type run on: ${possible.join(", ")}.`;
  throw refuse([{ path: "runsOn", code: "invalid_value", message }]);
}

/** @throws AppError invalid_request with the path `credentials` for a way the adapter does not know. */
export function checkCredentials(adapter: Adapter | null, credentials: Credentials): void {
  if (adapter?.auth.includes(credentials.type)) return;
  const ways = adapter?.auth.join(", ") || "none";
  const message = `Sources of this type take these credentials: ${ways}.`;
  throw refuse([{ path: "credentials.type", code: "invalid_value", message }]);
}

function refuse(fields: FieldError[]): AppError {
  const [first] = fields;
  return new AppError("invalid_request", first ? `${first.path}: ${first.message}` : "Invalid.", { fields });
}
