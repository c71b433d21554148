"use client";

import { ArrowDownToLine, ArrowUpFromLine, EllipsisVertical } from "lucide-react";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { IconButton } from "@/components/button";
import { Menu, MenuItem, MenuLink } from "@/components/menu";

/** Feeds from and for other readers. */
export function TransferMenu() {
  const viewer = useViewer();
  return (
    <Menu
      trigger={
        <IconButton label="Import and export">
          <EllipsisVertical aria-hidden size={16} />
        </IconButton>
      }
    >
      {viewer.canWrite && (
        <MenuLink href="/sources/import" icon={<ArrowUpFromLine aria-hidden size={15} />}>
          Import OPML
        </MenuLink>
      )}
      {/* A download, not a page: the browser stays where it is. */}
      <MenuItem
        icon={<ArrowDownToLine aria-hidden size={15} />}
        onSelect={() => window.location.assign("/api/export/opml")}
      >
        Export OPML
      </MenuItem>
    </Menu>
  );
}
