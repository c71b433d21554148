import { readError } from "@/app/_shared/read-error";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";
import { Sentence } from "@/components/sentence";

/** A failed call: what happened, what to do, and the request id that the server's log carries. */
export function CallError({
  error,
  what,
  beside = [],
  onRetry,
}: {
  error: unknown;
  what?: string;
  /** Paths whose messages the form shows at their own fields: nothing is said twice. */
  beside?: readonly string[];
  onRetry?(): void;
}) {
  if (!error) return null;
  const { message, requestId, fields: all } = readError(error);
  const apart = all.filter(({ path }) => !beside.includes(path));
  if (all.length > 0 && apart.length === 0) {
    const where = all.length === 1 ? "the field that is marked" : "the fields that are marked";
    return (
      <Notice tone="bad" announce title={what ? `${what}: see ${where}.` : `Please correct ${where}.`} />
    );
  }
  // A call about one thing has said it all in its message.
  const fields = apart.filter((field) => field.message !== message);
  return (
    <Notice
      tone="bad"
      announce
      title={<Sentence>{what ? `${what}: ${message}` : message}</Sentence>}
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
              <code className="text-xs">{field.path}</code> <Sentence>{field.message}</Sentence>
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
