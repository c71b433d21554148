import { UpstreamError } from "@/sdk/adapter";

const ENTER = "Enter the publication's own address, for example example.substack.com.";

/**
 * The publication behind an address: its origin. Substack's own hosts are always read over https.
 *
 * @throws UpstreamError invalid_url
 */
export function publicationOrigin(address: string): string {
  if (!URL.canParse(address)) throw invalid(`This is not a web address. ${ENTER}`);
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid(`Only http and https addresses can be read. ${ENTER}`);
  }
  return isSubstack(url.hostname) ? `https://${url.host}` : url.origin;
}

/**
 * What a person typed, as origins to try in order: the address of a site, of one of its posts, of
 * a post in Substack's reader, or the bare name of a publication.
 *
 * @throws UpstreamError invalid_url, with what to enter instead.
 */
export function typedOrigins(input: string | null): string[] {
  const text = (input ?? "").trim();
  if (text === "") throw invalid(ENTER);
  if (/^[a-z0-9][a-z0-9-]*$/i.test(text) && text !== "localhost") return [`https://${text}.substack.com`];
  const guesses = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? [text] : [`https://${text}`, `http://${text}`];
  return [...new Set(guesses.map(toPublication))];
}

function toPublication(address: string): string {
  const origin = publicationOrigin(address);
  const { hostname, pathname } = new URL(address);
  if (!/^(?:www\.|open\.)?substack\.com$/.test(hostname)) return origin;
  // The reader shows every publication's posts under /pub/<name>/p/<slug>.
  const name = /^\/pub\/([a-z0-9-]+)(?:\/|$)/i.exec(pathname)?.[1];
  if (name) return `https://${name}.substack.com`;
  throw invalid(
    pathname.startsWith("/@")
      ? `This is a person's profile, who may write several publications. ${ENTER}`
      : `This is a page of Substack itself, not a publication. ${ENTER}`,
  );
}

/** A custom domain answers the API on one host only: the given one, then with or without `www.`. */
export function nearbyOrigins(origin: string): string[] {
  const url = new URL(origin);
  const { hostname } = url;
  const hasVariant = hostname.includes(".") && !isSubstack(hostname) && !/^[\d.]+$|^\[/.test(hostname);
  if (!hasVariant) return [origin];
  url.hostname = hostname.startsWith("www.") ? hostname.slice(4) : `www.${hostname}`;
  return [origin, url.origin];
}

function isSubstack(hostname: string): boolean {
  return hostname === "substack.com" || hostname.endsWith(".substack.com");
}

function invalid(message: string): UpstreamError {
  return new UpstreamError("invalid_url", message, { retryable: false });
}
