/** What stands where a secret was. */
export const MASK = "***";

/** Query names made of one of these words carry a secret: `api_key`, `authToken`, `X-Amz-Signature`. */
const SECRET_WORDS = new Set([
  "auth",
  "authorization",
  "apikey",
  "code",
  "credential",
  "credentials",
  "hmac",
  "jwt",
  "key",
  "pass",
  "passphrase",
  "passwd",
  "password",
  "private",
  "pw",
  "pwd",
  "secret",
  "session",
  "sessionid",
  "sid",
  "sig",
  "signature",
  "token",
]);

/** Names written in one piece: `rsskey`, `feedtoken`, `jsessionid`. */
const SECRET_ENDING = /(?:key|token|secret|password|passwd|signature|sessionid)$/;

/** Values that are secrets whatever they are called: well-known token prefixes and JWTs. */
const SECRET_VALUE = /^(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|tdm_|eyJ[\w-]+\.[\w-]+\.)/;

/**
 * The URL with its secrets replaced by `***`: userinfo, and query or fragment values whose name or
 * shape says secret. Everything else keeps its spelling, so masking twice changes nothing.
 * Never throws; what is not a URL is treated all the same.
 */
export function maskUrl(url: string): string {
  const [, head = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return maskUserinfo(head) + maskPairs(query) + maskPairs(fragment);
}

/** Does the URL hold anything that `maskUrl` would hide? */
export function hasSecrets(url: string): boolean {
  return maskUrl(url) !== url;
}

/** Masks every http(s) URL inside a text meant for people or logs. */
export function maskUrlsInText(text: string): string {
  return text.replace(/https?:\/\/[^\s"'<>\\]+/gi, (url) => maskUrl(url));
}

function maskUserinfo(head: string): string {
  // Up to the last "@" of the authority: a password may itself hold an "@".
  return head.replace(/^(\s*[a-z][a-z0-9+.-]*:)?([/\\]{2})[^/\\]*@/i, (_, scheme = "", slashes) => {
    return `${scheme}${slashes}${MASK}@`;
  });
}

function maskPairs(part: string): string {
  return part.replace(/([?#&;])([^=&;]*)=([^&;]*)/g, (whole, separator, name, value) =>
    value !== "" && (isSecretName(decode(name)) || SECRET_VALUE.test(decode(value)))
      ? `${separator}${name}=${MASK}`
      : whole,
  );
}

export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_ENDING.test(word));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // a stray "%" is no reason to show the value
  }
}
