import type { Metadata } from "next";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { AccountView } from "@/app/(dashboard)/settings/account/account-view";

export const metadata: Metadata = { title: "Your account" };

export default async function AccountPage() {
  await requireViewer("/settings/account");
  return <AccountView />;
}
