"use client";

import { Columns3 } from "lucide-react";
import { Button } from "@/components/button";
import { Menu, MenuCheck, MenuDivider, MenuItem, MenuLabel } from "@/components/menu";
import { type Column, columnWords, isShown } from "@/components/table-column";
import type { ColumnChoiceState } from "@/components/use-column-choice";

/** Which columns to show. The first is the row's name and always there. */
export function ColumnChoice<Row>({
  columns,
  choice,
}: {
  columns: Column<Row>[];
  choice: ColumnChoiceState;
}) {
  const offered = columns.slice(1).filter((column) => !column.isActions);
  return (
    <Menu
      trigger={
        <Button icon={<Columns3 aria-hidden size={14} />} className="max-xs:hidden">
          Columns
        </Button>
      }
    >
      <MenuLabel>Columns to show</MenuLabel>
      {offered.map((column) => (
        <MenuCheck
          key={column.id}
          checked={isShown(column, choice.visibility)}
          onChange={(isChecked) => choice.show(column.id, isChecked)}
        >
          {columnWords(column) ?? column.id}
        </MenuCheck>
      ))}
      <MenuDivider />
      <MenuItem onSelect={choice.reset}>As they were</MenuItem>
    </Menu>
  );
}
