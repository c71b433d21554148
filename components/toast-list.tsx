"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { Sentence } from "@/components/sentence";
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
      icons={{
        error: <CircleAlert aria-hidden size={16} className="text-bad" />,
        success: <CircleCheck aria-hidden size={16} className="text-ok" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-2 rounded-md border border-line-strong bg-raised p-3 text-sm text-ink shadow-menu",
          icon: "shrink-0 self-start pt-0.5",
          content: "min-w-0 break-words",
          description: "text-ink-muted",
          // It comes first, for whoever reads by keyboard, and stands last, where eyes look for it.
          closeButton:
            "order-last ml-auto inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-muted hover:bg-hover hover:text-ink max-md:size-10",
          actionButton:
            "ml-auto h-7 shrink-0 rounded-md border border-line-strong px-2 text-xs font-medium hover:bg-hover max-md:h-10 max-md:px-3 max-md:text-sm",
        },
      }}
    />
  );
}

function show({ kind, text, options }: Message) {
  const said = <Sentence>{text}</Sentence>;
  if (kind === "plain") toast(said, options);
  else toast[kind](said, options);
}
