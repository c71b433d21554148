import { readError } from "@/app/_shared/read-error";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";

/** A failed call: what happened, what to do, and the request id that the server's log carries. */
export function CallError({ error, what, onRetry }: { error: unknown; what?: string; onRetry?(): void }) {
  if (!error) return null;
  const { message, requestId, fields: all } = readError(error);
  // A call about one thing has said it all in its message.
  const fields = all.filter((field) => field.message !== message);
  return (
    <Notice
      tone="bad"
      announce
      title={what ? `${what}: ${message}` : message}
      action={
        onRetry && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {fields.length > 0 && (
        <ul className="list-disc pl-4">
          {fields.map((field) => (
            <li key={`${field.path} ${field.message}`}>
              <code className="text-xs">{field.path}</code> {field.message}
            </li>
          ))}
        </ul>
      )}
      {requestId && (
        <p className="flex flex-wrap items-center gap-1 text-xs text-ink-muted">
          Request id <code className="break-all">{requestId}</code>
          <CopyButton text={requestId} label="Copy the request id" />
        </p>
      )}
    </Notice>
  );
}
