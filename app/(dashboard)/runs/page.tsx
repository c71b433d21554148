import type { Metadata } from "next";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { RunsView } from "@/app/(dashboard)/runs/runs-view";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage() {
  await requireViewer("/runs");
  return <RunsView />;
}
