"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { FocusEvent, ReactElement, ReactNode } from "react";
import { classNames } from "@/components/class-names";
import { Link } from "@/components/link";

const ITEM =
  "flex h-8 max-md:h-10 w-full cursor-pointer items-center gap-2 rounded-sm px-2 text-sm no-underline outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50";

/** The menu itself, open from the start: components/menu.tsx draws its button until someone presses it. */
export function OpenedMenu({
  trigger,
  children,
  align,
  isByKeyboard,
}: {
  trigger: ReactElement;
  children: ReactNode;
  align: "start" | "end";
  /** Then the first act has the focus at once, as a menu opened by keyboard should. */
  isByKeyboard: boolean;
}) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          // Radix watches for the keyboard too, but was not there yet when the key was pressed.
          onFocus={isByKeyboard ? focusFirst : undefined}
          className="animate-appear z-50 min-w-44 rounded-md border border-line-strong bg-raised p-1 text-ink shadow-menu"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function focusFirst({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (target !== currentTarget || currentTarget.contains(relatedTarget)) return;
  currentTarget.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus();
}

export function MenuItem({
  icon,
  children,
  onSelect,
  tone,
  disabled,
}: {
  icon?: ReactNode;
  children: ReactNode;
  onSelect(): void;
  tone?: "bad";
  disabled?: boolean;
}) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(ITEM, tone === "bad" && "text-bad")}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuLink({ icon, children, href }: { icon?: ReactNode; children: ReactNode; href: string }) {
  return (
    <DropdownMenu.Item asChild>
      <Link href={href} className={ITEM}>
        {icon}
        {children}
      </Link>
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1.5 text-xs text-ink-muted">{children}</DropdownMenu.Label>;
}

export function MenuDivider() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}

/** On or off; the menu stays open, since several are often set at once. */
export function MenuCheck({
  checked,
  children,
  onChange,
}: {
  checked: boolean;
  children: ReactNode;
  onChange(checked: boolean): void;
}) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-control">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden size={12} strokeWidth={2.5} />
        </DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  );
}

/** One of several, the chosen one marked. */
export function MenuChoice<Value extends string>({
  value,
  options,
  onChange,
}: {
  value: Value;
  options: readonly { value: Value; label: string; icon: ReactNode }[];
  onChange(value: Value): void;
}) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          className={classNames(ITEM, "data-[state=checked]:font-medium data-[state=checked]:text-accent")}
        >
          {option.icon}
          {option.label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
