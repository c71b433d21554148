import { invalidOption } from "../errors.ts";

/** Where the server is and who asks. */
export type ConnectionOptions = {
  /** The server's address, such as `https://tidemark.example.org`. */
  url: string | URL;
  /** An API token (`tdm_…`). */
  token: string;
  /** Instead of the global `fetch`: a proxy, an agent of your own. */
  fetch?: typeof globalThis.fetch;
};

export type Connection = {
  /** Without a slash at its end. */
  apiUrl: string;
  token: string;
  fetch: typeof globalThis.fetch;
};

/** @throws TidemarkError invalid_option */
export function connect({ url, token, fetch = globalThis.fetch }: ConnectionOptions): Connection {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw invalidOption('`url` must be the server\'s address, such as "https://tidemark.example.org".');
  }
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") {
    throw invalidOption(`\`url\` must begin with https:// or http://, not ${parsed.protocol}`);
  }
  if (parsed.username || parsed.password || parsed.search || parsed.hash) {
    throw invalidOption("`url` must be the server's address alone; access is given with `token`.");
  }
  // fetch would refuse the header with an error that quotes it.
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw invalidOption("`token` must be an API token: visible ASCII, without spaces or line ends.");
  }
  // Called as a method of our object, a browser's fetch refuses ("Illegal invocation").
  return {
    apiUrl: `${parsed.href.replace(/\/+$/, "")}/api/v1`,
    token,
    fetch: (...args) => fetch(...args),
  };
}
