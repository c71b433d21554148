"use client";

import { type ReactNode, useState } from "react";

type Parts = typeof import("@/components/term-parts");

/** Fetched when a word is asked about: most people know the words. */
const loadParts = () => import("@/components/term-parts");

/** A word of the field with a dotted underline: hovering shows its meaning, pressing keeps it open. */
export function Term({ children, meaning }: { children: ReactNode; meaning: string }) {
  const [parts, setParts] = useState<Parts | null>(null);
  if (parts) {
    const word = (
      <button type="button" className="term text-inherit" title={meaning}>
        {children}
      </button>
    );
    return <parts.OpenedTerm trigger={word} meaning={meaning} />;
  }
  return (
    <button
      type="button"
      className="term text-inherit"
      title={meaning}
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={() => void loadParts()}
      onFocus={() => void loadParts()}
      onClick={() => void loadParts().then(setParts)}
    >
      {children}
    </button>
  );
}
