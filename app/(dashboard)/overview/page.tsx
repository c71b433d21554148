import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { OverviewView } from "@/app/(dashboard)/overview/overview-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  await requireViewer("/overview");
  await prefetch(trpc.overview.get.queryOptions());
  return (
    <HydrateClient>
      <OverviewView />
    </HydrateClient>
  );
}
