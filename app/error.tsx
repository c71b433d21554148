"use client";

import { buttonClass } from "@/components/button-class";
import { CopyButton } from "@/components/copy-button";

/** A page that could not be drawn at all. `digest` is what the server's log carries. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset(): void }) {
  return (
    <main className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center px-6">
      <title>Something went wrong · Tidemark</title>
      <h1 className="text-xl font-semibold">This page could not be shown</h1>
      <p className="mt-2 text-base text-ink-muted">
        The server failed while preparing it. Nothing of your data was changed. Try again; if it stays, the
        server's log says why.
      </p>
      {error.digest && (
        <p className="mt-3 flex items-center gap-1 text-sm text-ink-muted">
          Error id <code className="text-xs">{error.digest}</code>
          <CopyButton text={error.digest} label="Copy the error id" />
        </p>
      )}
      <div className="mt-5 flex gap-2">
        <button type="button" onClick={reset} className={buttonClass("primary")}>
          Try again
        </button>
        {/* Not a Link: what failed here may be the page's script itself, and a real visit starts afresh. */}
        <a href="/sources" className={buttonClass()}>
          Go to Sources
        </a>
      </div>
    </main>
  );
}
