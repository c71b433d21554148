"use client";

import { Check } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "@/components/copy-text";

/** Keeps prefix and tail: `feed_01kq…7f3c`. */
export function shortenId(id: string): string {
  const cut = id.indexOf("_") + 1;
  return id.length <= cut + 10 ? id : `${id.slice(0, cut + 4)}…${id.slice(-4)}`;
}

/** An id shortened in the middle; whole on hover, copied on click. */
export function ShortId({ id, label = "id" }: { id: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      title={`${id}: click to copy`}
      aria-label={copied ? "Copied" : `Copy ${label} ${id}`}
      onClick={async (event) => {
        event.stopPropagation();
        setCopied(await copyText(id));
      }}
      className="inline-flex items-center gap-1 rounded-sm font-mono text-xs text-ink-muted hover:text-ink max-md:-my-2 max-md:min-h-10"
    >
      {shortenId(id)}
      {copied && <Check aria-hidden size={12} className="text-ok" />}
    </button>
  );
}
