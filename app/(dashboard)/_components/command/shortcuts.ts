/** What the keyboard does everywhere. Pages' own keys (j, k, Enter in tables) are only told here. */
export const GENERAL_KEYS = [
  { keys: ["Ctrl", "K"], mac: ["⌘", "K"], does: "Open the command palette" },
  { keys: ["?"], does: "Show these keys" },
  { keys: ["Esc"], does: "Close what is in front" },
] as const;

export const TABLE_KEYS = [
  { keys: ["j"], does: "Next row" },
  { keys: ["k"], does: "Previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["Space"], does: "Tick the row's box, when it has the focus" },
] as const;

export const PALETTE_KEYS = [
  { keys: ["↑", "↓"], does: "Move" },
  { keys: ["Enter"], does: "Go there, or do it" },
  { keys: ["Esc"], does: "Close" },
] as const;

export type KeyAct = "palette" | "help" | { go: string };

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey"> & {
  /** Is text being typed, or a dialog or menu in front? Then letters are not ours. */
  isBusy: boolean;
};

/** After this long the g is forgotten. */
export const SEQUENCE_MS = 1200;

/**
 * What a key press means.
 *
 * @param afterG whether g was pressed just before.
 * @param places the key after g → path.
 * @returns the act; "g" when a place's key should follow; null when the key is not ours.
 */
export function readKey(
  press: Press,
  afterG: boolean,
  places: ReadonlyMap<string, string>,
): KeyAct | "g" | null {
  const { key, ctrlKey, metaKey, altKey, isBusy } = press;
  if (key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey) return "palette";
  if (isBusy || ctrlKey || metaKey || altKey) return null;
  if (afterG) {
    const path = places.get(key.toLowerCase());
    if (path) return { go: path };
  }
  if (key === "?") return "help";
  return key === "g" ? "g" : null;
}
