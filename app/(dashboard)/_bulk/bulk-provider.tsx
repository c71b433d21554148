"use client";

import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";
import { type BulkAct, type BulkJob, runBulk } from "@/app/(dashboard)/_bulk/bulk-job";
import { BulkProgress } from "@/app/(dashboard)/_bulk/bulk-progress";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";

/** More than these at once nobody watches; the oldest that ended makes room. */
const MAX_SHOWN = 3;

const BulkContext = createContext<((act: BulkAct) => void) | null>(null);

/** Acts on many things go on while people walk between pages; the panel shows how far they are. */
export function BulkProvider({ children }: { children: ReactNode }) {
  const refresh = useRefresh();
  const [jobs, setJobs] = useState<BulkJob[]>([]);
  const stopped = useRef(new Set<number>());
  const nextId = useRef(1);

  const update = useCallback((id: number, change: Partial<BulkJob>) => {
    setJobs((all) => all.map((job) => (job.id === id ? { ...job, ...change } : job)));
  }, []);

  const start = useCallback(
    (act: BulkAct) => {
      if (act.items.length === 0) return;
      const id = nextId.current++;
      const job: BulkJob = {
        id,
        act,
        state: "running",
        tried: 0,
        changed: [],
        failures: [],
        stoppedBy: null,
      };
      setJobs((all) => [...all, job].slice(-MAX_SHOWN));
      void runBulk(
        act,
        () => stopped.current.has(id),
        (progress) => update(id, progress),
      ).then((end) => {
        update(id, { ...end, state: "ended" });
        void refresh();
      });
    },
    [refresh, update],
  );

  function undo({ id, act, changed }: BulkJob) {
    if (!act.undo) return;
    setJobs((all) => all.filter((job) => job.id !== id));
    start({ ...act.undo, noun: act.noun, items: changed });
  }

  return (
    <BulkContext value={start}>
      {children}
      <BulkProgress
        jobs={jobs}
        onStop={(id) => {
          stopped.current.add(id);
          update(id, { state: "stopping" });
        }}
        onUndo={undo}
        onDismiss={(id) => setJobs((all) => all.filter((job) => job.id !== id))}
      />
    </BulkContext>
  );
}

/** Starts an act on many things. */
export function useBulk(): (act: BulkAct) => void {
  const start = use(BulkContext);
  if (!start) throw new Error("useBulk needs the dashboard's layout around it");
  return start;
}
