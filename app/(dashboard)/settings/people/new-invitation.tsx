"use client";

import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { ExactTime } from "@/components/relative-time";
import { ShownOnce } from "@/components/shown-once";

export type FreshInvitation = Outputs["people"]["invite"];

/** The one time a link is shown. */
export function NewInvitation({ fresh }: { fresh: FreshInvitation }) {
  const { baseUrl } = useViewer();
  const link = `${baseUrl}/invite/${fresh.token}`;
  return (
    <ShownOnce
      title={`Link for ${fresh.email} made. Copy it now: it is shown this once.`}
      secret={link}
      copyLabel="Copy the link"
      testId="new-invitation"
    >
      <p className="text-ink-muted">
        Nothing was sent: hand it on yourself. Whoever opens it joins, once, until{" "}
        <ExactTime at={fresh.expiresAt} />.
      </p>
    </ShownOnce>
  );
}
