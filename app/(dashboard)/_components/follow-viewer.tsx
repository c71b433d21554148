"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { useTRPC } from "@/trpc/client";

/**
 * The frame knows the names and the role of when the server drew it. Live hints make this question old; another
 * answer draws the frame anew.
 */
export function FollowViewer() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const router = useRouter();
  const { data } = useQuery(
    trpc.workspace.current.queryOptions(undefined, {
      // What the page came with is as good as an answer, until a hint says otherwise.
      initialData: {
        workspace: { id: viewer.workspaceId, name: viewer.workspaceName },
        user: { id: viewer.id, name: viewer.name, email: viewer.email },
        role: viewer.role,
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const isOther =
    data.workspace.name !== viewer.workspaceName ||
    data.user?.name !== viewer.name ||
    data.role !== viewer.role;
  useEffect(() => {
    if (isOther) router.refresh();
  }, [isOther, router]);
  return null;
}
