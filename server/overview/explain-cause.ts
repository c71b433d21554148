import type { Attention, AttentionAction } from "./overview-shape";

type Explained = Pick<Attention, "severity" | "title" | "explanation" | "action">;

const ACTIONS = {
  reconnect: { kind: "reconnect", label: "Enter new credentials…", bulk: null },
  resume: { kind: "resume", label: "Resume", bulk: "resume" },
  sync: { kind: "sync", label: "Sync now", bulk: "sync" },
  wait: { kind: "wait", label: "See when they go on", bulk: null },
  deletes: { kind: "review_deletes", label: "Review deletes…", bulk: null },
  rejections: { kind: "review_rejections", label: "Review documents", bulk: null },
  edit: { kind: "edit", label: "Check the address…", bulk: null },
  look: { kind: "look", label: "Look at the last run", bulk: "sync" },
} satisfies Record<string, AttentionAction>;

/**
 * A cause in words, and what to do about it.
 *
 * @param cause as FEED_CAUSES spells it.
 */
export function explainCause(cause: string, count: number): Explained {
  const feeds = count === 1 ? "1 feed" : `${count.toLocaleString("en")} feeds`;
  const verb = (one: string, many: string) => `${feeds} ${count === 1 ? one : many}`;
  switch (cause) {
    case "needs_reconnect":
      return {
        severity: "error",
        title: verb("needs to be reconnected", "need to be reconnected"),
        explanation: "The credentials were refused. New ones let them go on from where they stopped.",
        action: ACTIONS.reconnect,
      };
    case "paused_by_failures":
      return {
        severity: "error",
        title: verb("was paused after failing for days", "were paused after failing for days"),
        explanation: "They failed 30 times over a week. Resume them once the cause is gone.",
        action: ACTIONS.resume,
      };
    case "disabled":
      return {
        severity: "warning",
        title: verb("is gone for good, its site says", "are gone for good, their sites say"),
        explanation: "What was stored is kept. Delete them, or resume them if the site was wrong.",
        action: ACTIONS.edit,
      };
    case "rate_limited":
      return {
        severity: "notice",
        title: verb("waits because its site asked to", "wait because their sites asked to"),
        explanation: "They go on by themselves when the time is up.",
        action: ACTIONS.wait,
      };
    case "held_deletes":
      return {
        severity: "warning",
        title: verb("has deletes that wait for a decision", "have deletes that wait for a decision"),
        explanation: "A listing lacked so many documents that a person has to say whether they are gone.",
        action: ACTIONS.deletes,
      };
    case "rejections":
      return {
        severity: "notice",
        title: verb("sent documents that could not be stored", "sent documents that could not be stored"),
        explanation: "They are kept with the reason; most can be mended and stored from here.",
        action: ACTIONS.rejections,
      };
    case "cursor_stuck":
      return {
        severity: "warning",
        title: verb("brings documents without moving on", "bring documents without moving on"),
        explanation: "Their cursor stands still although documents come, so each sync reads the same again.",
        action: ACTIONS.look,
      };
    default:
      return { severity: "error", ...explainFailure(cause.replace(/^failing:/, ""), verb) };
  }
}

function explainFailure(
  code: string,
  verb: (one: string, many: string) => string,
): Omit<Explained, "severity"> {
  switch (code) {
    case "forbidden":
      return {
        title: verb("is refused by its site", "are refused by their sites"),
        explanation: "The sites answer 403. They may block automated readers, or want credentials.",
        action: ACTIONS.look,
      };
    case "unauthorized":
      return {
        title: verb("is asked for credentials", "are asked for credentials"),
        explanation: "The sites answer 401. Enter credentials on their sources.",
        action: ACTIONS.reconnect,
      };
    case "not_found":
    case "gone":
    case "invalid_url":
      return {
        title: verb("is not where it was", "are not where they were"),
        explanation: "There is nothing at these addresses. They may have moved: look for the new ones.",
        action: ACTIONS.edit,
      };
    case "not_a_feed":
      return {
        title: verb("answers with something that is no feed", "answer with something that is no feed"),
        explanation: "Often a page for people, after a site was rebuilt. Look for the feed's new address.",
        action: ACTIONS.edit,
      };
    case "unavailable":
    case "too_slow":
      return {
        title: verb("cannot be reached", "cannot be reached"),
        explanation:
          "The sites do not answer, or answer with errors of their own. It is tried again by itself.",
        action: ACTIONS.sync,
      };
    case "blocked_address":
      return {
        title: verb("lies in a private network", "lie in private networks"),
        explanation:
          "This server does not read private addresses unless TIDEMARK_ALLOW_PRIVATE_NETWORKS permits them.",
        action: ACTIONS.edit,
      };
    case "run_abandoned":
    case "not_started":
    case "internal_error":
    case "adapter_failed":
      return {
        title: verb("failed for a reason on our side", "failed for a reason on our side"),
        explanation: "Not the sites' fault. What was stored is kept; the next sync goes on from there.",
        action: ACTIONS.sync,
      };
    default:
      return {
        title: verb(`fails (${code.replaceAll("_", " ")})`, `fail (${code.replaceAll("_", " ")})`),
        explanation: "The last run of each says what happened.",
        action: ACTIONS.look,
      };
  }
}
