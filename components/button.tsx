import { LoaderCircle } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "@/components/class-names";

type Variant = "primary" | "secondary" | "ghost" | "danger";

const VARIANT: Record<Variant, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-strong",
  secondary: "bg-surface text-ink border-line-strong hover:bg-hover",
  ghost: "bg-transparent text-ink-muted border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-bad-solid text-[oklch(1_0_0)] border-transparent hover:brightness-110",
};

export function buttonClass(variant: Variant = "secondary", size: "md" | "sm" = "md"): string {
  return classNames(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap",
    "transition-colors duration-100 no-underline disabled:opacity-55 disabled:cursor-not-allowed",
    size === "md" ? "h-8 px-3 text-sm" : "h-7 px-2 text-xs",
    VARIANT[variant],
  );
}

type ButtonProps = ComponentProps<"button"> & {
  variant?: Variant;
  size?: "md" | "sm";
  icon?: ReactNode;
  /** Shown instead of the children, with a turning mark, while the act is under way. */
  pendingLabel?: string | null | false;
};

/** A real button; `type="button"` unless said otherwise. */
export function Button({
  variant,
  size,
  icon,
  pendingLabel,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const isPending = Boolean(pendingLabel);
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
      className={classNames(buttonClass(variant, size), className)}
    >
      {isPending ? <LoaderCircle aria-hidden size={14} className="animate-turn" /> : icon}
      {pendingLabel || children}
    </button>
  );
}

/** Looks like a button, is a link: it goes somewhere. */
export function ButtonLink({
  href,
  variant,
  size,
  icon,
  children,
  className,
}: {
  href: string;
  variant?: Variant;
  size?: "md" | "sm";
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Link href={href} className={classNames(buttonClass(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}

/** A square button that shows only an icon; `label` is its name. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classNames(
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-muted transition-colors duration-100",
        "hover:bg-hover hover:text-ink disabled:opacity-55",
        className,
      )}
    >
      {children}
    </button>
  );
}
