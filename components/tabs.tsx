"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "@/components/class-names";

/** Views of one thing. The chosen one is the caller's to keep, in the URL. */
export function Tabs<Value extends string>({
  value,
  onChange,
  tabs,
  label,
}: {
  value: Value;
  onChange(value: Value): void;
  tabs: readonly { value: Value; label: string; count?: number; content: () => ReactNode }[];
  label: string;
}) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Radix.List aria-label={label} className="mb-3 flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={classNames(
              "-mb-px flex h-9 shrink-0 max-md:h-11 items-center gap-1.5 border-b-2 border-transparent text-sm text-ink-muted hover:text-ink",
              "data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink focus-visible:-outline-offset-2",
            )}
          >
            {tab.label}
            {tab.count ? (
              <span className="rounded-full bg-warn-soft px-1.5 text-xs font-medium text-warn tabular-nums">
                {tab.count}
              </span>
            ) : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="outline-none">
          {tab.value === value && tab.content()}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
