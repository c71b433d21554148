/** Who does something, as stored on runs, transitions and audit entries. */
export type Actor =
  | { type: "user"; id: string; name: string }
  | { type: "token"; id: string; name: string }
  | { type: "scheduler" }
  | { type: "cli" };

/** What every use case is told about its caller. It reads no cookies or headers itself. */
export type Caller = {
  workspaceId: number;
  actor: Actor;
  /** Correlates log lines, runs and problem documents. */
  requestId?: string;
};

/** How somebody is called in a sentence: by name, or by what they are. */
export function actorName(actor: Actor): string {
  return "name" in actor ? actor.name : actor.type;
}
