import { Check } from "lucide-react";
import { classNames } from "@/components/class-names";

const STEPS = ["Address", "Feeds", "First sync"];

/** Where in the three steps one is. */
export function Steps({ current }: { current: 1 | 2 | 3 }) {
  return (
    <ol aria-label="Steps" className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {STEPS.map((step, index) => {
        const place = index + 1;
        const isDone = place < current;
        return (
          <li
            key={step}
            aria-current={place === current ? "step" : undefined}
            className={classNames(
              "flex items-center gap-1.5",
              place === current ? "font-medium text-ink" : "text-ink-muted",
            )}
          >
            <span
              aria-hidden
              className={classNames(
                "flex size-5 items-center justify-center rounded-full border text-xs tabular-nums",
                place === current ? "border-accent bg-accent text-on-accent" : "border-line-strong",
                isDone && "text-ok",
              )}
            >
              {isDone ? <Check size={12} /> : place}
            </span>
            {step}
            {isDone && <span className="sr-only">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}
