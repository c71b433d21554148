import { maskUrl } from "@/sdk/mask-url";

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** An address as a URL; null when its scheme was left out. URL itself takes `harbour.example:8080` for one. */
export function asUrl(address: string | null): string | null {
  return address !== null && SCHEME.test(address) ? address : null;
}

/**
 * Parts what a person typed, to look there again, into what may be shown and what belongs in the vault.
 * People leave out the scheme; a password in front of the host is one all the same.
 *
 * @returns `secret`: the whole text when something in it is secret, else null.
 */
export function splitLookAddress(typed: string): { shown: string; secret: string | null } {
  const address = typed.trim().replace(/^feed:(?:\/\/)?(?=https?:)/i, "");
  const prefix = SCHEME.test(address) ? "" : "https://";
  const shown = maskUrl(prefix + address).slice(prefix.length);
  return { shown, secret: shown === address ? null : address };
}

/** Hosts to whom the source's own credentials were given when it was connected there; null = cannot be told. */
export function originsOf(address: string): string[] {
  if (SCHEME.test(address)) return URL.canParse(address) ? [new URL(address).origin] : [];
  return ["https://", "http://"].flatMap((scheme) =>
    URL.canParse(scheme + address) ? [new URL(scheme + address).origin] : [],
  );
}
