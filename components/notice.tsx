import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/components/class-names";

const TONE = {
  info: { Icon: Info, frame: "border-line bg-accent-soft", icon: "text-accent" },
  warn: { Icon: TriangleAlert, frame: "border-line bg-warn-soft", icon: "text-warn" },
  bad: { Icon: CircleAlert, frame: "border-line bg-bad-soft", icon: "text-bad" },
} as const;

/** A message in the flow of a page: what happened, what it means, what to do. */
export function Notice({
  tone,
  title,
  children,
  action,
  announce,
}: {
  tone: keyof typeof TONE;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Tell screen readers at once: it came as the answer to something the viewer did. */
  announce?: boolean;
}) {
  const { Icon, frame, icon } = TONE[tone];
  return (
    <div role={announce ? "alert" : undefined} className={classNames("rounded-lg border p-3", frame)}>
      <div className="flex gap-2.5">
        <Icon aria-hidden size={16} className={classNames("mt-0.5 shrink-0", icon)} />
        <div className="min-w-0 flex-1 space-y-1.5 text-sm">
          <p className="font-medium break-words">{title}</p>
          {children}
          {action && <div className="flex flex-wrap items-center gap-2 pt-1">{action}</div>}
        </div>
      </div>
    </div>
  );
}
