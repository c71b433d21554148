"use client";

import { CircleUserRound, LogOut, MonitorX, UserRound } from "lucide-react";
import { useState } from "react";
import { SignOutEverywhereDialog } from "@/app/(dashboard)/_components/sign-out-everywhere-dialog";
import { leave } from "@/app/(dashboard)/_lib/leave";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { IconButton } from "@/components/button";
import { Menu, MenuDivider, MenuItem, MenuLabel, MenuLink } from "@/components/menu";

/** Who is signed in, and the ways out. */
export function AccountMenu() {
  const viewer = useViewer();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Account of ${viewer.name}`}>
            <UserRound aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuLabel>
          <span className="block max-w-56 truncate text-sm font-medium text-ink">{viewer.name}</span>
          <span className="block max-w-56 truncate">{viewer.email}</span>
          <span className="block max-w-56 truncate">
            {viewer.role} of {viewer.workspaceName}
          </span>
        </MenuLabel>
        <MenuDivider />
        <MenuLink icon={<CircleUserRound aria-hidden size={15} />} href="/settings/account">
          Your account
        </MenuLink>
        <MenuItem icon={<LogOut aria-hidden size={15} />} onSelect={() => void leave()}>
          Sign out
        </MenuItem>
        <MenuItem icon={<MonitorX aria-hidden size={15} />} onSelect={() => setAsking(true)}>
          Sign out everywhere…
        </MenuItem>
      </Menu>
      <SignOutEverywhereDialog open={asking} onOpenChange={setAsking} />
    </>
  );
}
