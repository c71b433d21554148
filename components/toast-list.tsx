"use client";

import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { type Message, takeMessages } from "@/components/toast";

/** Shows what components/toast.ts was told. */
export function ToastList() {
  // After the list itself listens: effects of what is inside run first.
  useEffect(() => takeMessages(show), []);
  return (
    <Toaster
      position="bottom-right"
      offset={{ bottom: 16 }}
      style={{ fontFamily: "inherit" }}
      mobileOffset={{ bottom: 72 }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-2 rounded-md border border-line-strong bg-raised p-3 text-sm text-ink shadow-menu",
          description: "text-ink-muted",
          actionButton:
            "ml-auto h-7 shrink-0 rounded-md border border-line-strong px-2 text-xs font-medium hover:bg-hover",
        },
      }}
    />
  );
}

function show({ kind, text, options }: Message) {
  if (kind === "plain") toast(text, options);
  else toast[kind](text, options);
}
