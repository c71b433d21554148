"use client";

import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { FilterInput } from "@/components/field";

/** Long enough that a word typed in one go is one question to the server. */
const PAUSE_MS = 250;

/** Text to filter by. What is typed stands at once; the list follows when the typing rests. */
export function SearchInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | null;
  onChange(value: string | null): void;
}) {
  const [draft, setDraft] = useState(value ?? "");
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What comes from elsewhere (Back, "Clear filters") wins over what stood here.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setDraft(value ?? "");
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span data-search className="relative min-w-32 flex-1 md:max-w-64 md:min-w-48">
      <Search
        aria-hidden
        size={14}
        className="pointer-events-none absolute top-2.25 left-2.5 text-ink-faint max-md:top-3.25"
      />
      <FilterInput
        type="search"
        label={label}
        placeholder={label}
        className="w-full pl-8"
        value={draft}
        maxLength={200}
        onChange={(event) => {
          const text = event.target.value;
          setDraft(text);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            sent.current = text || null;
            onChange(text || null);
          }, PAUSE_MS);
        }}
      />
    </span>
  );
}
