"use client";

import { setNonce } from "get-nonce";

// Dialogs lock the page's scrolling with a stylesheet of their own, which the page's policy allows only
// with its nonce. Scripts can read that from any script the server wrote; markup cannot. Once per page
// load: later navigations stay in the document, and so under its first nonce.
if (typeof document !== "undefined") {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  if (nonce) setNonce(nonce);
}

/** Draws nothing; being part of the page is what counts. */
export function StyleNonce() {
  return null;
}
