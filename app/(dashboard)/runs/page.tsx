import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { RunsView } from "@/app/(dashboard)/runs/runs-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage() {
  await requireViewer("/runs");
  // As it is without filters; a filtered view asks from the browser.
  await prefetch(trpc.runs.list.queryOptions({ limit: 50 }));
  return (
    <HydrateClient>
      <RunsView />
    </HydrateClient>
  );
}
