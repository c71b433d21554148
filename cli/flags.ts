import { parseArgs } from "node:util";
import { UsageError } from "@/cli/io";

/** Values by flag name, checked against the command's list. `argument` is the one without a flag. */
export type Flags = {
  /** A flag the command requires: it is there. */
  required(name: string): string;
  optional(name: string): string | undefined;
  /** A whole number within bounds. @throws UsageError */
  integer(name: string, min: number, max: number): number | undefined;
  /** Was the flag without a value given? */
  has(name: string): boolean;
};

/** A required flag has no "?" behind its name; a switch takes no value. */
export type FlagSpec = { flags: readonly string[]; switches?: readonly string[]; argument?: string };

/** @throws UsageError naming the flag that is unknown, doubled, missing or without a value. */
export function parseFlags(args: string[], spec: FlagSpec): Flags {
  const names = spec.flags.map((flag) => flag.replace("?", ""));
  const { values, switches, positionals } = parse(args, names, spec.switches ?? []);

  for (const [name, given] of Object.entries(values)) {
    if (given.length > 1) throw new UsageError(`--${name} was given ${given.length} times.`);
    if (given[0]?.trim() === "") throw new UsageError(`--${name} needs a value.`);
  }
  const missing = spec.flags.filter((flag) => !flag.endsWith("?") && !values[flag]);
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(", ")}.`);
  if (spec.argument && positionals.length === 0) throw new UsageError(`Missing: ${spec.argument}.`);
  const extra = positionals[spec.argument ? 1 : 0];
  if (extra !== undefined) throw new UsageError(`What is "${extra}"? Values follow a flag.`);

  const optional = (name: string) => (name === spec.argument ? positionals[0] : values[name]?.[0]);
  return {
    optional,
    has: (name) => switches.has(name),
    required(name) {
      const value = optional(name);
      if (value === undefined) throw new UsageError(`Missing: --${name}.`);
      return value;
    },
    integer(name, min, max) {
      const text = optional(name);
      if (text === undefined) return undefined;
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    },
  };
}

function parse(args: string[], names: readonly string[], switchNames: readonly string[]) {
  const options = Object.fromEntries<{ type: "string" | "boolean"; multiple: true }>([
    ...names.map((name) => [name, { type: "string", multiple: true }] as const),
    ...switchNames.map((name) => [name, { type: "boolean", multiple: true }] as const),
  ]);
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const given = Object.entries(values);
    return {
      values: Object.fromEntries(given.filter(([name]) => names.includes(name))) as Record<string, string[]>,
      switches: new Set(given.filter(([name]) => switchNames.includes(name)).map(([name]) => name)),
      positionals,
    };
  } catch (error) {
    // Node's text is good ("Unknown option '--x'") but then explains itself at length.
    throw new UsageError((error as Error).message.split(/\. (?:To specify|Did you)/)[0] ?? "Bad flags.");
  }
}
