import type { Metadata } from "next";
import { ApiReference } from "./api-reference";

export const metadata: Metadata = { title: "API reference" };

/** The API's description for people. */
export default function DocsPage() {
  return (
    <>
      <h1 className="mt-4 text-xl font-semibold">API reference</h1>
      <p className="mt-2 max-w-prose text-ink-muted">
        Every operation with its parameters, answers and errors. “Try it out” sends real requests to this
        server: choose “Authorize” and paste a token. It stays in this page and is forgotten when you leave.
        The same as data:{" "}
        <a className="underline" href="/api/v1/openapi.json">
          openapi.json
        </a>
        .
      </p>
      <ApiReference />
    </>
  );
}
