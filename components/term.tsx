"use client";

import { Popover } from "radix-ui";
import type { ReactNode } from "react";

/** A word of the field with a dotted underline: hovering shows its meaning, pressing keeps it open. */
export function Term({ children, meaning }: { children: ReactNode; meaning: string }) {
  return (
    <Popover.Root>
      <Popover.Trigger className="term text-inherit" title={meaning}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          sideOffset={6}
          collisionPadding={12}
          className="animate-appear z-50 max-w-72 rounded-md border border-line-strong bg-raised p-3 text-sm text-ink shadow-menu"
        >
          {meaning}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
