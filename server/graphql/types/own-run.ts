import type { beginRun, renewRun, restartOwnRun } from "@/server/runs/own-run";
import { builder } from "../builder";

type AnswerOf<UseCase extends (...args: never[]) => unknown> = Awaited<ReturnType<UseCase>>;

export const StartedSyncRun = builder.objectRef<AnswerOf<typeof beginRun>>("StartedSyncRun").implement({
  fields: (t) => ({
    runId: t.exposeID("runId"),
    leaseExpiresAt: t.expose("leaseExpiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Without a sign of life until then the run is abandoned.",
    }),
    cursor: t.exposeString("cursor", {
      nullable: true,
      description: "Where to go on from, and the `cursorBefore` of the first page.",
    }),
  }),
});

export const Lease = builder.objectRef<AnswerOf<typeof renewRun>>("Lease").implement({
  fields: (t) => ({ leaseExpiresAt: t.expose("leaseExpiresAt", { type: "DateTime" }) }),
});

export const RestartedSyncRun = builder
  .objectRef<AnswerOf<typeof restartOwnRun>>("RestartedSyncRun")
  .implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor", { nullable: true, description: "The authoritative cursor now." }),
    }),
  });
