import { expect, it, vi } from "vitest";

/** The environment anew, with one variable as a person might have written it. */
async function envWith(name: string, value: string) {
  vi.resetModules();
  vi.stubEnv(name, value);
  const { env } = await import("./env");
  return env;
}

it.each([
  ["TIDEMARK_METRICS", "open", '"private"|"public"'],
  ["TIDEMARK_SCHEDULER", "on", '"internal"|"off"'],
  ["TIDEMARK_RATE_LIMIT", "0", ">=1"],
  ["CRON_SECRET", "short", "at least 16 characters"],
])("refuses to start with %s=%s, by its name and with what is possible", async (name, value, possible) => {
  const env = await envWith(name, value);
  expect(env).toThrow(name);
  expect(env).toThrow(possible);
});
