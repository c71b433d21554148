import {
  Activity,
  CircleUserRound,
  FileText,
  Gauge,
  History,
  KeyRound,
  type LucideIcon,
  Rss,
  Settings,
  Users,
  Webhook,
} from "lucide-react";

export type Entry = {
  href: string;
  label: string;
  /** Where the thumb's bar has no room. */
  short?: string;
  Icon: LucideIcon;
  /** What is pressed after g to go there. */
  key: string;
  /** Pages that belong to it although their address begins otherwise. */
  below: readonly string[];
  /** `bar`: in the rail and the phone's bar; `more`: in the rail, on phones behind "More"; `inside`: on a page of another entry. */
  place: "bar" | "more" | "inside";
};

/** Where one can go. The rail, the phone's bar, the command palette and the help sheet read this list. */
export const ENTRIES: readonly Entry[] = [
  { href: "/overview", label: "Overview", Icon: Gauge, key: "o", below: [], place: "bar" },
  { href: "/sources", label: "Sources", Icon: Rss, key: "s", below: ["/feeds"], place: "bar" },
  { href: "/runs", label: "Runs", Icon: History, key: "r", below: [], place: "bar" },
  { href: "/documents", label: "Documents", Icon: FileText, key: "d", below: [], place: "bar" },
  {
    href: "/changes",
    label: "Change feed",
    short: "Changes",
    Icon: Activity,
    key: "c",
    below: [],
    place: "bar",
  },
  { href: "/tokens", label: "API", Icon: KeyRound, key: "a", below: ["/webhooks"], place: "more" },
  { href: "/webhooks", label: "Webhooks", Icon: Webhook, key: "w", below: [], place: "inside" },
  { href: "/settings", label: "Settings", Icon: Settings, key: "e", below: [], place: "more" },
  { href: "/settings/people", label: "People", Icon: Users, key: "p", below: [], place: "inside" },
  {
    href: "/settings/account",
    label: "Your account",
    Icon: CircleUserRound,
    key: "y",
    below: [],
    place: "inside",
  },
];
