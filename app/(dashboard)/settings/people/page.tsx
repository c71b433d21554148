import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { PeopleView } from "@/app/(dashboard)/settings/people/people-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "People" };

export default async function PeoplePage() {
  await requireViewer("/settings/people");
  await prefetch(trpc.people.list.queryOptions());
  return (
    <HydrateClient>
      <PeopleView />
    </HydrateClient>
  );
}
