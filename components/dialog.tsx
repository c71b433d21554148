"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button, IconButton } from "@/components/button";
import { classNames } from "@/components/class-names";
import { useReturnFocus } from "@/components/return-focus";

/** A question in front of the page. Escape and the cross close it; focus goes back to where it came from. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  isWide,
  children,
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: ReactNode;
  /** For what stands in columns. */
  isWide?: boolean;
  children: ReactNode;
}) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[oklch(0.15_0.02_220/0.45)]" />
        <Radix.Content
          {...returnFocus}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={classNames(
            "animate-appear fixed inset-x-3 top-[8vh] z-50 mx-auto flex max-h-[84vh] flex-col rounded-lg border border-line-strong bg-raised shadow-menu outline-none",
            isWide ? "max-w-2xl" : "max-w-lg",
          )}
        >
          <header className="px-4 pt-3.5 pr-12 pb-1">
            <Radix.Title className="text-lg font-semibold break-words">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-1 text-sm text-ink-muted">{description}</Radix.Description>
            )}
          </header>
          <div className="overflow-y-auto px-4 pt-2 pb-4">{children}</div>
          {/* Last, so that the first field gets the focus. */}
          <Radix.Close asChild>
            <IconButton label="Close" className="absolute top-3 right-3 max-md:top-1.5 max-md:right-1.5">
              <X aria-hidden size={16} />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row that ends a dialog: its act first in reading order, the way out beside it. */
export function DialogActions({
  children,
  wayOut = "Cancel",
}: {
  children: ReactNode;
  /** Null where the act itself is the way out. */
  wayOut?: string | null;
}) {
  return (
    <div className="mt-4 flex flex-row-reverse flex-wrap items-center justify-start gap-2">
      {children}
      {wayOut && (
        <Radix.Close asChild>
          <Button variant="ghost">{wayOut}</Button>
        </Radix.Close>
      )}
    </div>
  );
}
