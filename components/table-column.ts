import type { ReactNode } from "react";

export type Column<Row> = {
  id: string;
  header: ReactNode;
  /** The header as plain words, for the card that a row becomes on a narrow screen and for the choice. */
  label?: string;
  cell(row: Row): ReactNode;
  /** Numbers stand right. */
  align?: "right";
  /** The narrowest screen with room for it; cards under 480 px always show it unless `cards` is false. */
  from?: "md" | "lg";
  cards?: false;
  width?: string;
  /** Marks the column of row acts. */
  isActions?: boolean;
  /** Not shown until the viewer chooses it. */
  isExtra?: boolean;
  /** What whoever sends the rows calls this order; absent = it cannot be sorted by. */
  sortKey?: string;
  /** Numbers and times begin with the greatest. */
  sortFirst?: "desc";
  /** For lists that are here whole: what the rows are sorted by in the browser. */
  sortValue?(row: Row): string | number;
};

/** Kept by the caller, in the URL. `column` is a `sortKey`, or null = the order the rows came in. */
export type Sort = {
  column: string | null;
  descending: boolean;
  onChange(column: string | null, descending: boolean): void;
};

/** Which columns the viewer shows, by id. Without an entry a column is as it says itself. */
export type Visibility = Record<string, boolean>;

export function isShown<Row>(column: Column<Row>, visibility: Visibility | undefined): boolean {
  return visibility?.[column.id] ?? !column.isExtra;
}

/** The header in words; null where a column has none. */
export function columnWords<Row>(column: Column<Row>): string | null {
  return column.label ?? (typeof column.header === "string" ? column.header : null);
}
