"use client";

import { DocumentTable } from "@/app/(dashboard)/_documents/document-table";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { ButtonLink } from "@/components/button";
import { EmptyState } from "@/components/empty-state";

export function DocumentsTab({
  feedId,
  isSyncing,
  sourceType,
}: {
  feedId: string;
  isSyncing: boolean;
  sourceType: string;
}) {
  const viewer = useViewer();
  return (
    <DocumentTable
      feedId={feedId}
      isSyncing={isSyncing}
      empty={
        sourceType === "api" ? (
          <EmptyState
            title="Waiting for the first push"
            action={viewer.canAdmin && <ButtonLink href={`/tokens?feed=${feedId}`}>Get a snippet</ButtonLink>}
          >
            Your program sends documents to this feed over the API; they appear here within a second.
          </EmptyState>
        ) : (
          <EmptyState title={isSyncing ? "The first sync is under way" : "No documents yet"}>
            {isSyncing
              ? "Documents appear here page by page, as they are stored."
              : "The next sync brings what the upstream lists. “Sync now” does it at once."}
          </EmptyState>
        )
      }
    />
  );
}
