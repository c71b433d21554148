/** The address as an absolute http(s) URL, or undefined when it is none. */
export function toHttpUrl(address: string | undefined, base?: string | null): string | undefined {
  const text = address?.trim();
  if (!text) return undefined;
  try {
    const url = new URL(text, base ?? undefined);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Is it, as published, an absolute http(s) address? */
export function isAbsoluteHttp(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
}

/** `own` against `fallback`; whatever cannot be resolved falls back. */
export function joinUrls(own: string | null | undefined, fallback: string): string {
  return toHttpUrl(own ?? undefined, fallback) ?? fallback;
}
