"use client";

import { type ComponentProps, createContext, type ReactNode, use, useId } from "react";
import { classNames } from "@/components/class-names";

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
          {error}
        </p>
      )}
    </div>
  );
}

const CONTROL =
  "w-full rounded-md border border-line-control bg-surface px-2.5 text-base text-ink placeholder:text-ink-faint disabled:opacity-60 aria-invalid:border-bad";

function useFieldProps() {
  const ids = use(FieldIds);
  return ids
    ? { id: ids.id, "aria-describedby": ids.described, "aria-invalid": ids.invalid || undefined }
    : {};
}

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...useFieldProps()} {...rest} className={classNames(CONTROL, "h-8", className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea {...useFieldProps()} {...rest} className={classNames(CONTROL, "min-h-16 py-1.5", className)} />
  );
}

export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <select {...useFieldProps()} {...rest} className={classNames(CONTROL, "h-8 pr-7", className)}>
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
    <label className="flex items-start gap-2 text-sm">
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-(--accent)" />
      <span>
        {label}
        {hint && <span className="block text-xs text-ink-muted">{hint}</span>}
      </span>
    </label>
  );
}
