"use client";

import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { DocumentTable } from "@/app/(dashboard)/_documents/document-table";
import { useOnlyTab } from "@/app/(dashboard)/_lib/use-only-tab";
import { ButtonLink } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { PageHeader } from "@/components/page-header";
import { Tabs } from "@/components/tabs";

const RejectionTable = dynamic(() =>
  import("@/app/(dashboard)/_rejections/rejection-table").then((module) => module.RejectionTable),
);

const VIEWS = ["stored", "rejected"] as const;

/** What is stored here, of every feed; and what could not be. */
export function DocumentsView() {
  const [{ view }] = useQueryStates({ view: parseAsStringLiteral(VIEWS).withDefault("stored") });
  const open = useOnlyTab("view");
  return (
    <>
      <PageHeader
        title="Documents"
        meta={
          <span>
            Every <Explain term="document">document</Explain> of every feed, the latest change first.
          </span>
        }
      />
      <Tabs
        label="Of this workspace"
        value={view}
        onChange={(next) => open(next === "stored" ? null : next)}
        tabs={[
          {
            value: "stored",
            label: "Stored",
            content: () => (
              <DocumentTable
                empty={
                  <EmptyState
                    title="No document yet"
                    action={<ButtonLink href="/sources">Go to Sources</ButtonLink>}
                  >
                    What feeds bring stands here, one current version of each item. Connect a source, or push
                    documents over the API.
                  </EmptyState>
                }
              />
            ),
          },
          { value: "rejected", label: "Rejected", content: () => <RejectionTable /> },
        ]}
      />
    </>
  );
}
