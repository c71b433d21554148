import type { GuardedFetch } from "../adapter.ts";

/** A fake need not watch the signal; the real fetch does. */
export function abortable(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    init?.signal?.throwIfAborted();
    const response = await fetch(url, init);
    init?.signal?.throwIfAborted();
    return response;
  };
}

/** An upstream that answers everything alike, without a body. */
export function answering(status: number, headers: Record<string, string>): GuardedFetch {
  return async (url) => ({
    status,
    headers,
    body: new Uint8Array(0),
    url: String(url),
    movedPermanently: false,
  });
}
