"use client";

import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import { whenIdle } from "@/components/when-idle";

type Parts = typeof import("@/components/menu-parts");

/** Menus place themselves and keep the focus: much script that no page needs before one is opened. */
const loadParts = () => import("@/components/menu-parts");

const PartsContext = createContext<Parts | null>(null);

/**
 * A button that opens a list of acts. Until it is pressed there is the button alone; the rest is fetched
 * when the page rests, or at the latest when someone points at it.
 */
export function Menu({
  trigger,
  children,
  align = "end",
}: {
  /** A `Button` or `IconButton`. */
  trigger: ReactElement<ComponentProps<"button">>;
  children: ReactNode;
  align?: "start" | "end";
}) {
  const [opened, setOpened] = useState<{ parts: Parts; isByKeyboard: boolean } | null>(null);
  const isOpening = useRef(false);
  useEffect(() => whenIdle(() => void loadParts()), []);

  async function open(isByKeyboard: boolean) {
    if (isOpening.current) return;
    isOpening.current = true;
    try {
      setOpened({ parts: await loadParts(), isByKeyboard });
    } finally {
      isOpening.current = false; // where the server could not be reached, the next press tries again
    }
  }

  if (opened) {
    return (
      <PartsContext value={opened.parts}>
        <opened.parts.OpenedMenu trigger={trigger} align={align} isByKeyboard={opened.isByKeyboard}>
          {children}
        </opened.parts.OpenedMenu>
      </PartsContext>
    );
  }
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: () => void loadParts(),
    onFocus: () => void loadParts(),
    // A press of Enter or Space is a click without a place.
    onClick: (event: MouseEvent) => void open(event.detail === 0),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      void open(true);
    },
  });
}

/** What stands in a menu is drawn by what was fetched with it. */
function useParts(): Parts {
  const parts = use(PartsContext);
  if (!parts) throw new Error("the acts of a menu need their Menu around them");
  return parts;
}

export function MenuItem(props: ComponentProps<Parts["MenuItem"]>) {
  const { MenuItem: Part } = useParts();
  return <Part {...props} />;
}

export function MenuLink(props: ComponentProps<Parts["MenuLink"]>) {
  const { MenuLink: Part } = useParts();
  return <Part {...props} />;
}

export function MenuLabel(props: ComponentProps<Parts["MenuLabel"]>) {
  const { MenuLabel: Part } = useParts();
  return <Part {...props} />;
}

export function MenuDivider() {
  const { MenuDivider: Part } = useParts();
  return <Part />;
}

export function MenuCheck(props: ComponentProps<Parts["MenuCheck"]>) {
  const { MenuCheck: Part } = useParts();
  return <Part {...props} />;
}

export function MenuChoice<Value extends string>(props: {
  value: Value;
  options: readonly { value: Value; label: string; icon: ReactNode }[];
  onChange(value: Value): void;
}) {
  const { MenuChoice: Part } = useParts();
  return <Part {...props} />;
}
