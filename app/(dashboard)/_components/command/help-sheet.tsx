"use client";

import { GENERAL_KEYS, PALETTE_KEYS, TABLE_KEYS } from "@/app/(dashboard)/_components/command/shortcuts";
import { ENTRIES } from "@/app/(dashboard)/_components/entries";
import { Dialog } from "@/components/dialog";

type Shortcut = { keys: readonly string[]; mac?: readonly string[]; does: string };

/** Every key, on one sheet. */
export function HelpSheet({ onClose, isMac }: { onClose(): void; isMac: boolean }) {
  const pages = ENTRIES.map((entry) => ({ keys: ["g", entry.key], does: `Go to ${entry.label}` }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keyboard" isWide>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Keys title="Everywhere" shortcuts={GENERAL_KEYS} isMac={isMac} />
        <Keys title="Pages" shortcuts={pages} isMac={isMac} />
        <Keys title="In tables" shortcuts={TABLE_KEYS} isMac={isMac} />
        <Keys title="In the command palette" shortcuts={PALETTE_KEYS} isMac={isMac} />
      </div>
      <p className="mt-4 text-xs text-ink-muted">
        Tab reaches everything that can be pressed. Single letters rest while you type.
      </p>
    </Dialog>
  );
}

function Keys({
  title,
  shortcuts,
  isMac,
}: {
  title: string;
  shortcuts: readonly Shortcut[];
  isMac: boolean;
}) {
  return (
    <section>
      <h3 className="mb-1.5 text-xs font-medium text-ink-muted">{title}</h3>
      <dl className="space-y-1 text-sm">
        {shortcuts.map((shortcut) => (
          <div key={shortcut.does} className="flex items-baseline justify-between gap-3">
            <dt className="order-2 flex shrink-0 gap-1">
              {((isMac && shortcut.mac) || shortcut.keys).map((key) => (
                <kbd
                  key={key}
                  className="min-w-5 rounded-sm border border-line-strong bg-sunken px-1 text-center text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{shortcut.does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
