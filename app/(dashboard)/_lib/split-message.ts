/**
 * Messages of failures say what happened, what it means and what to do, in this order. The first
 * sentence stands as the title, the rest below it.
 */
export function splitMessage(message: string): { title: string; rest: string } {
  // A sentence ends before a capital: "example.org answered 403 (forbidden). It may block …"
  const end = message.search(/[.!?] (?=\p{Lu})/u);
  if (end === -1) return { title: message, rest: "" };
  return { title: message.slice(0, end + 1), rest: message.slice(end + 2) };
}
