/** One line or kind of bar: its values' key, its name and its colour. */
export type Series<Key extends string> = { key: Key; name: string; colour: string };

/** A point in time and the values there; null where there is none. */
export type ChartRow<Key extends string> = { at: string } & Record<Key, number | null>;
