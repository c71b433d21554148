import { classNames } from "@/components/class-names";

/** How far something is. Browsers draw theirs in colours of their own. */
export function ProgressBar({
  label,
  value,
  max,
  className,
}: {
  /** Names it for screen readers. */
  label: string;
  /** Null says only that it goes on. */
  value: number | null;
  max: number;
  className?: string;
}) {
  return (
    <progress
      aria-label={label}
      {...(value !== null && { value })}
      max={max}
      className={classNames(
        "block h-1.5 appearance-none overflow-hidden rounded-full bg-line",
        value === null
          ? "progress-unknown"
          : "[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent",
        className,
      )}
    />
  );
}
