"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { readKey, SEQUENCE_MS } from "@/app/(dashboard)/_components/command/shortcuts";
import { ENTRIES } from "@/app/(dashboard)/_components/entries";
import { buttonClass } from "@/components/button-class";
import { useIsBrowser } from "@/components/clock";

// Neither is needed before someone asks for it.
const loadPalette = () => import("@/app/(dashboard)/_components/command/palette");
const Palette = dynamic(() => loadPalette().then((module) => module.Palette), { ssr: false });
const HelpSheet = dynamic(
  () => import("@/app/(dashboard)/_components/command/help-sheet").then((module) => module.HelpSheet),
  { ssr: false },
);

const PLACES = new Map(ENTRIES.map((entry) => [entry.key, entry.href]));
const TEXT = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]";
const IN_FRONT = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** The search button of the header, and the keys that work on every page. */
export function CommandCenter() {
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const router = useRouter();
  const pressedG = useRef(0);
  // What is typed between the key that opens the palette and its code being there. Null: it is there.
  const early = useRef<string | null>(null);
  const isMac = useIsBrowser() && /Mac|iP(hone|ad)/.test(navigator.platform);

  // Before the page is painted: a key that is pressed as soon as it is seen is heard.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      if (early.current !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
        early.current += event.key;
        event.preventDefault();
        return;
      }
      const target = event.target instanceof Element ? event.target : null;
      const isBusy = Boolean(target?.closest(TEXT)) || document.querySelector(IN_FRONT) !== null;
      const afterG = event.timeStamp - pressedG.current < SEQUENCE_MS;
      const act = readKey(
        {
          key: event.key,
          ctrlKey: event.ctrlKey,
          metaKey: event.metaKey,
          altKey: event.altKey,
          isBusy,
        },
        afterG && pressedG.current > 0,
        PLACES,
      );
      pressedG.current = act === "g" ? event.timeStamp : 0;
      if (act === null || act === "g") return;
      event.preventDefault();
      if (typeof act === "object") router.push(act.go);
      else {
        early.current = act === "palette" && document.querySelector("[cmdk-input]") === null ? "" : null;
        setOpen((current) => (current === act ? null : act));
      }
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [router]);

  function close() {
    early.current = null;
    setOpen(null);
  }

  /** Called by the palette once its input has the focus. */
  const takeEarly = useCallback(() => {
    const typed = early.current ?? "";
    early.current = null;
    return typed;
  }, []);
  return (
    <>
      <button
        type="button"
        aria-label="Search and commands"
        aria-keyshortcuts="Control+K Meta+K"
        title={`Search and commands (${isMac ? "⌘ K" : "Ctrl K"})`}
        onClick={() => setOpen("palette")}
        onPointerEnter={() => void loadPalette()}
        onFocus={() => void loadPalette()}
        className={`${buttonClass("secondary")} max-md:w-10 max-md:border-transparent max-md:bg-transparent max-md:px-0 md:min-w-44 md:justify-start`}
      >
        <Search aria-hidden size={16} className="text-ink-muted md:size-3.5 md:text-ink-faint" />
        <span className="font-normal text-ink-muted max-md:hidden">Search</span>
        <kbd className="ml-auto text-xs text-ink-faint max-md:hidden">{isMac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {open === "palette" && <Palette onClose={close} takeEarly={takeEarly} onHelp={() => setOpen("help")} />}
      {open === "help" && <HelpSheet onClose={close} isMac={isMac} />}
    </>
  );
}
