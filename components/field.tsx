"use client";

import { type ComponentProps, createContext, type ReactNode, use, useId } from "react";
import { classNames } from "@/components/class-names";
import { Sentence } from "@/components/sentence";

const FieldIds = createContext<{ id: string; described: string | undefined; invalid: boolean } | null>(null);

/** A labelled control with its hint and its error, tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  optional?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-ink-muted"> (optional)</span>}
      </label>
      <FieldIds value={{ id, described, invalid: Boolean(error) }}>{children}</FieldIds>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-xs text-bad">
          <Sentence>{error}</Sentence>
        </p>
      )}
    </div>
  );
}

const CONTROL =
  "w-full rounded-md border border-line-control bg-surface px-2.5 text-ink placeholder:text-ink-faint disabled:opacity-60 aria-invalid:border-bad";

// On phones as tall as a thumb needs, and in 16 px: browsers zoom in on a field with smaller letters.
const LINE = "h-8 text-base max-md:h-10 max-md:text-lg";

function useFieldProps() {
  const ids = use(FieldIds);
  return ids
    ? { id: ids.id, "aria-describedby": ids.described, "aria-invalid": ids.invalid || undefined }
    : {};
}

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...useFieldProps()} {...rest} className={classNames(CONTROL, LINE, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      className={classNames(CONTROL, "min-h-16 py-1.5 text-base max-md:text-lg", className)}
    />
  );
}

export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <select {...useFieldProps()} {...rest} className={classNames(CONTROL, LINE, className)}>
      {children}
    </select>
  );
}

/** A box to tick with its sentence beside it. */
export function Checkbox({
  label,
  hint,
  ...rest
}: ComponentProps<"input"> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label className="flex items-start gap-2 text-sm max-md:py-1.5">
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-(--accent)" />
      <span>
        {label}
        {hint && <span className="block text-xs text-ink-muted">{hint}</span>}
      </span>
    </label>
  );
}

/** A choice in a row of filters: as wide as its words, named for screen readers alone. */
export function FilterSelect({ label, children, ...rest }: ComponentProps<"select"> & { label: string }) {
  return (
    <select
      aria-label={label}
      {...rest}
      className="h-8 max-w-44 rounded-md border border-line-control bg-surface px-2 text-sm text-ink max-md:h-10 max-md:min-w-36 max-md:max-w-none max-md:flex-1 max-md:text-lg"
    >
      {children}
    </select>
  );
}

/** Text or time in a row of filters. */
export function FilterInput({ label, className, ...rest }: ComponentProps<"input"> & { label: string }) {
  return (
    <input
      aria-label={label}
      {...rest}
      className={classNames(
        "h-8 rounded-md border border-line-control bg-surface px-2 text-sm text-ink placeholder:text-ink-faint max-md:h-10 max-md:text-lg",
        className,
      )}
    />
  );
}
