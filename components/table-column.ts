import type { ReactNode } from "react";

export type Column<Row> = {
  id: string;
  header: ReactNode;
  /** The header as plain words, for the card that a row becomes on a narrow screen. */
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
  /** What the column sorts by; absent = it cannot be sorted by. */
  sortValue?(row: Row): string | number;
};

/** Kept by the caller, in the URL. `column` null = the order the rows came in. */
export type Sort = {
  column: string | null;
  descending: boolean;
  onChange(column: string | null, descending: boolean): void;
};
