import type { Credentials } from "./adapter.ts";
import { maskUrl, maskUrlsInText } from "./mask-url.ts";

/** Shorter values would blank out ordinary words. */
const MIN_SECRET_LENGTH = 4;

/** Replaces secrets in a text meant for people, rows or logs. */
export type MaskText = (text: string) => string;

/** Builds a mask that knows these secrets besides what URLs give away by their form. */
export function createTextMask(secrets: readonly string[]): MaskText {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, "***"), maskUrlsInText(text));
}

/** What must not be shown of these credentials, in every spelling that travels. */
export function secretsOfCredentials(credentials: Credentials): string[] {
  if (credentials.type === "basic") return [credentials.password, encodeBasic(credentials)];
  return credentials.type === "bearer" ? [credentials.token] : [];
}

/** What follows `Basic` in the header; UTF-8, as RFC 7617 recommends. */
export function encodeBasic({ username, password }: { username: string; password: string }): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The query values that `maskUrl` hides. */
export function secretsOfUrl(url: URL): string[] {
  const masked = [...new URL(maskUrl(url.href)).searchParams];
  return [...url.searchParams].flatMap(([, value], i) => (masked[i]?.[1] === value ? [] : [value]));
}
