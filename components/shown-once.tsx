import type { ReactNode } from "react";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";

/** A secret, the one time it is shown. */
export function ShownOnce({
  title,
  secret,
  copyLabel,
  testId,
  children,
}: {
  title: string;
  secret: string;
  /** "Copy the token", for who does not see the button beside it. */
  copyLabel: string;
  testId: string;
  children: ReactNode;
}) {
  return (
    <Notice tone="info" announce title={title}>
      <p className="flex items-center gap-2">
        <code
          data-testid={testId}
          className="min-w-0 rounded-md border border-line bg-surface px-2 py-1 text-xs break-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} label={copyLabel}>
          Copy
        </CopyButton>
      </p>
      {children}
    </Notice>
  );
}
