"use client";

import { Popover } from "radix-ui";
import type { ReactElement } from "react";

/** A meaning that stays open beside its word: components/term.tsx draws the word until it is pressed. */
export function OpenedTerm({ trigger, meaning }: { trigger: ReactElement; meaning: string }) {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
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
