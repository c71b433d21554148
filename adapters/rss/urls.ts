/** Longer addresses are not followed by anyone, and each may be copied into many documents. */
const MAX_ADDRESS_LENGTH = 8192;

/** A base is copied into every relative address; a long one times a million is an attack. */
const MAX_BASE_LENGTH = 1024;

/** The address as an absolute http(s) URL, or undefined when it is none. */
export function toHttpUrl(address: string | undefined, base?: string | null): string | undefined {
  const text = address?.trim();
  if (!text || text.length > MAX_ADDRESS_LENGTH) return undefined;
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

/** `own` against `fallback`, as a base for others; whatever cannot be resolved or is too long falls back. */
export function joinUrls(own: string | null | undefined, fallback: string): string {
  const joined = toHttpUrl(own ?? undefined, fallback);
  return joined && joined.length <= MAX_BASE_LENGTH ? joined : fallback;
}

/** An address as a base: its query resolves nothing, and what is too long gives way to the origin. */
export function toBase(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin.length + pathname.length <= MAX_BASE_LENGTH ? origin + pathname : `${origin}/`;
}
