import type { ExternalToast } from "sonner";

/** A word in passing, at the edge of the page. */
export type Message = { kind: "plain" | "success" | "error"; text: string; options?: ExternalToast };

type Show = (message: Message) => void;

let show: Show | null = null;
let waiting: Message[] = [];
const listeners = new Set<() => void>();

function say(message: Message): void {
  if (show) {
    show(message);
    return;
  }
  waiting.push(message);
  for (const notify of listeners) notify();
}

/**
 * Says something in passing. What shows it (sonner) is fetched when there is something to say for the
 * first time; until it is there, messages wait.
 */
export const toast = {
  plain: (text: string, options?: ExternalToast) => say({ kind: "plain", text, options }),
  success: (text: string, options?: ExternalToast) => say({ kind: "success", text, options }),
  error: (text: string, options?: ExternalToast) => say({ kind: "error", text, options }),
};

/** For the toasts' own component: is there anything to show? */
export function hasMessages(): boolean {
  return show !== null || waiting.length > 0;
}

export function subscribeMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** From now on messages go there, those that waited first. @returns ends it. */
export function takeMessages(to: Show): () => void {
  show = to;
  const due = waiting;
  waiting = [];
  for (const message of due) to(message);
  return () => {
    if (show === to) show = null;
  };
}
