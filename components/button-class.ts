import { classNames } from "@/components/class-names";

export type Variant = "primary" | "secondary" | "ghost" | "danger";

const VARIANT: Record<Variant, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-strong",
  secondary: "bg-surface text-ink border-line-strong hover:bg-hover",
  ghost: "bg-transparent text-ink-muted border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-bad-solid text-[oklch(1_0_0)] border-transparent hover:brightness-110",
};

/** How a button looks, for what is one and for links that look like one. */
export function buttonClass(variant: Variant = "secondary", size: "md" | "sm" = "md"): string {
  return classNames(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap",
    "transition-colors duration-100 no-underline disabled:opacity-55 disabled:cursor-not-allowed",
    // Under a thumb both are as tall as a thumb needs.
    size === "md"
      ? "h-8 px-3 text-sm max-md:h-10"
      : "h-7 px-2 text-xs max-md:h-10 max-md:px-3 max-md:text-sm",
    VARIANT[variant],
  );
}
