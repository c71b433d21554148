import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { ChangesView } from "@/app/(dashboard)/changes/changes-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Change feed" };

export default async function ChangesPage() {
  await requireViewer("/changes");
  // Consumers as they are in the first page; another order or page asks from the browser.
  await Promise.all([
    prefetch(trpc.changes.status.queryOptions()),
    prefetch(trpc.changes.consumers.queryOptions({ limit: 50 })),
  ]);
  return (
    <HydrateClient>
      <ChangesView />
    </HydrateClient>
  );
}
