import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";

export type FreshToken = { id: string; name: string; token: string };

/** The one time a token is shown. */
export function NewToken({ fresh }: { fresh: FreshToken }) {
  return (
    <Notice tone="info" announce title={`Token “${fresh.name}” created. Copy it now: it is shown this once.`}>
      <p className="flex items-center gap-2">
        <code
          data-testid="new-token"
          className="min-w-0 rounded-md border border-line bg-surface px-2 py-1 text-xs break-all"
        >
          {fresh.token}
        </code>
        <CopyButton text={fresh.token} label="Copy the token">
          Copy
        </CopyButton>
      </p>
      <p className="text-ink-muted">The snippets below carry it until you leave this page.</p>
    </Notice>
  );
}
