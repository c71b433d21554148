"use client";

import { WifiOff } from "lucide-react";
import { usePathname } from "next/navigation";
import { readError } from "@/app/_shared/read-error";
import { RelativeTime } from "@/components/relative-time";

/** Shown while what is on the page could not be refreshed: why, and since when it is old. */
export function StaleMark({
  query,
}: {
  query: { isRefetchError: boolean; error: unknown; dataUpdatedAt: number };
}) {
  const path = usePathname();
  if (!query.isRefetchError) return null;
  const { code, message } = readError(query.error);
  return (
    <p role="status" className="mb-3 flex items-start gap-1.5 text-sm text-warn">
      <WifiOff aria-hidden size={14} className="mt-0.75 shrink-0" />
      <span>
        {code === null && "The server cannot be reached. "}
        {code === "unauthenticated" && (
          <>
            You were signed out. {/* A whole new page: what is in memory belongs to the old session. */}
            <a href={`/sign-in?next=${encodeURIComponent(path)}`}>Sign in</a> to go on.{" "}
          </>
        )}
        {code !== null && code !== "unauthenticated" && `${message} `}
        Shown as it was <RelativeTime at={new Date(query.dataUpdatedAt)} />.
      </span>
    </p>
  );
}
