"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { classNames } from "@/components/class-names";
import { copyText } from "@/components/copy-text";

const SHOW_COPIED_MS = 1600;

/** Copies `text`; says so for a moment, to screen readers too. */
export function CopyButton({
  text,
  label,
  children,
  className,
}: {
  text: string;
  /** The button's name when it shows only an icon. */
  label: string;
  children?: string;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOW_COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={label}
      aria-label={copied ? "Copied" : label}
      onClick={async (event) => {
        event.stopPropagation();
        setCopied(await copyText(text));
      }}
      className={classNames(
        "inline-flex h-6 shrink-0 items-center justify-center gap-1 rounded-sm text-xs transition-colors duration-100",
        // A thumb needs more than the eye does; the line it stands in keeps its height.
        "max-md:-my-2 max-md:h-10",
        children ? "px-2" : "w-6 max-md:w-10",
        copied ? "text-ok" : "text-ink-faint hover:bg-hover hover:text-ink",
        className,
      )}
    >
      <Icon aria-hidden size={13} />
      {children ? (copied ? "Copied" : children) : null}
      <span aria-live="polite" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}
