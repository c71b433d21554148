"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { hasMessages, subscribeMessages } from "@/components/toast";

const ToastList = dynamic(() => import("@/components/toast-list").then((module) => module.ToastList), {
  ssr: false,
});

/** Where toasts appear, once there is one. */
export function Toasts() {
  const isWanted = useSyncExternalStore(subscribeMessages, hasMessages, () => false);
  return isWanted ? <ToastList /> : null;
}
