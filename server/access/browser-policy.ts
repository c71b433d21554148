/** What browsers are told about pages: which scripts may run, who may frame them. */

/**
 * Sonner puts its own stylesheet into the page while it loads and offers no way to give it a nonce.
 * This is that text's hash; browser-policy.test.ts compares it with the installed package.
 */
export const SONNER_STYLE = "sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=";

/** Sonner puts its element into the page before the text, and that moment counts too. */
const EMPTY_STYLE = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/**
 * A strict policy for one answer. Scripts run by nonce alone: what they load they vouch for, and no
 * markup from upstream can carry the nonce. Style attributes stay allowed (column widths, charts, menus
 * that place themselves): without script they can at most look odd, and sanitised content has none.
 *
 * @param nonce unguessable, of this answer only; base64.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}' '${SONNER_STYLE}' '${EMPTY_STYLE}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Two years, as preload lists ask for; without subdomains, which may be anyone's. */
export const STRICT_TRANSPORT = "max-age=63072000";
