import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { WorkspaceView } from "@/app/(dashboard)/settings/workspace-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  await requireViewer("/settings");
  await Promise.all([
    prefetch(trpc.workspace.settings.queryOptions()),
    prefetch(trpc.changes.status.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <WorkspaceView />
    </HydrateClient>
  );
}
