"use client";

import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";
import { ExactTime } from "@/components/relative-time";

export type FreshInvitation = Outputs["people"]["invite"];

/** The one time a link is shown. */
export function NewInvitation({ fresh }: { fresh: FreshInvitation }) {
  const { baseUrl } = useViewer();
  const link = `${baseUrl}/invite/${fresh.token}`;
  return (
    <Notice tone="info" announce title={`Link for ${fresh.email} made. Copy it now: it is shown this once.`}>
      <p className="flex items-center gap-2">
        <code
          data-testid="new-invitation"
          className="min-w-0 rounded-md border border-line bg-surface px-2 py-1 text-xs break-all"
        >
          {link}
        </code>
        <CopyButton text={link} label="Copy the link">
          Copy
        </CopyButton>
      </p>
      <p className="text-ink-muted">
        Nothing was sent: hand it on yourself. Whoever opens it joins, once, until{" "}
        <ExactTime at={fresh.expiresAt} />.
      </p>
    </Notice>
  );
}
