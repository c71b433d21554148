import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { buttonClass, type Variant } from "@/components/button-class";
import { classNames } from "@/components/class-names";
import { Link } from "@/components/link";

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
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-muted transition-colors duration-100 max-md:size-10",
        "hover:bg-hover hover:text-ink disabled:opacity-55",
        className,
      )}
    >
      {children}
    </button>
  );
}
