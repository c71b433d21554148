"use client";

import { usePathname, useRouter } from "next/navigation";

/** Opens a page's other tab. Filters and places in the URL belong to the tab that is left. */
export function useOnlyTab(name: string): (tab: string | null) => void {
  const router = useRouter();
  const path = usePathname();
  return (tab) => router.push(tab === null ? path : `${path}?${name}=${tab}`, { scroll: false });
}
