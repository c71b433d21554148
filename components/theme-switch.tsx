"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { IconButton } from "@/components/button";
import { Menu, MenuChoice, MenuLabel } from "@/components/menu";
import { applyTheme, readTheme, subscribeTheme, type Theme } from "@/components/theme";

const OPTIONS = [
  { value: "system", label: "As the system", icon: <Monitor aria-hidden size={15} /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden size={15} /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden size={15} /> },
] as const;

export function ThemeSwitch({ initial }: { initial: Theme }) {
  const theme = useSyncExternalStore(subscribeTheme, readTheme, () => initial);
  const current = OPTIONS.find((option) => option.value === theme) ?? OPTIONS[0];
  return (
    <Menu trigger={<IconButton label={`Theme: ${current.label.toLowerCase()}`}>{current.icon}</IconButton>}>
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} options={OPTIONS} onChange={applyTheme} />
    </Menu>
  );
}
