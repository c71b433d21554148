import type { Credentials, GuardedResponse } from "@/sdk/adapter";
import { maskUrl, maskUrlsInText } from "@/sdk/mask-url";

/** Enough of a failed answer to see what it was. */
const SAMPLE_BYTES = 2048;

/** Shorter values would blank out ordinary words. */
const MIN_SECRET_LENGTH = 4;

/** Replaces secrets in a text meant for people, rows or logs. */
export type MaskText = (text: string) => string;

/** Builds a mask that knows this fetch's own secrets besides what URLs give away by their form. */
export function createTextMask(secrets: readonly string[]): MaskText {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, "***"), maskUrlsInText(text));
}

/** What must not be shown of these credentials, in every spelling that travels. */
export function secretsOfCredentials(credentials: Credentials): string[] {
  if (credentials.type === "basic") {
    const pair = `${credentials.username}:${credentials.password}`;
    return [credentials.password, Buffer.from(pair).toString("base64")];
  }
  return credentials.type === "bearer" ? [credentials.token] : [];
}

/** The query values that `maskUrl` hides. */
export function secretsOfUrl(url: URL): string[] {
  const masked = [...new URL(maskUrl(url.href)).searchParams];
  return [...url.searchParams].flatMap(([, value], i) => (masked[i]?.[1] === value ? [] : [value]));
}

// Kept beside the response and not in it: adapters see the upstream's bytes, messages see this.
const samples = new WeakMap<GuardedResponse, string>();

/** The first 2 KB of an answer as text, masked. */
export function takeSample(body: Uint8Array, mask: MaskText): string {
  const text = new TextDecoder().decode(body.subarray(0, SAMPLE_BYTES));
  return mask(text.replaceAll("\0", ""));
}

export function rememberSample(response: GuardedResponse, sample: string): void {
  samples.set(response, sample);
}

/** The masked beginning of a response, for `UpstreamError.info.detail`. */
export function sampleOf(response: GuardedResponse): string {
  return samples.get(response) ?? takeSample(response.body, maskUrlsInText);
}
