import "server-only";
import { sanitiseHtml } from "@/app/(dashboard)/documents/[documentId]/sanitise";

/** A document's text as its format says. HTML is cleaned here, on the server, right before it is shown. */
export function DocumentText({
  text,
  format,
  baseUrl,
}: {
  text: string | null;
  format: "text" | "html" | "markdown";
  /** Where relative links of the document lead from. */
  baseUrl: string | null;
}) {
  if (!text?.trim()) return <p className="text-sm text-ink-muted">This document has no text.</p>;
  if (format === "html") {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by an allowlist one call before
    return <div className="prose" dangerouslySetInnerHTML={{ __html: sanitiseHtml(text, baseUrl) }} />;
  }
  return <div className="prose whitespace-pre-wrap">{text}</div>;
}
