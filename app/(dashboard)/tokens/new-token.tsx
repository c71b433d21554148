import { ShownOnce } from "@/components/shown-once";

export type FreshToken = { id: string; name: string; token: string };

/** The one time a token is shown. */
export function NewToken({ fresh }: { fresh: FreshToken }) {
  return (
    <ShownOnce
      title={`Token “${fresh.name}” created. Copy it now: it is shown this once.`}
      secret={fresh.token}
      copyLabel="Copy the token"
      testId="new-token"
    >
      <p className="text-ink-muted">The snippets below carry it until you leave this page.</p>
    </ShownOnce>
  );
}
