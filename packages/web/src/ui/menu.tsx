import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { Kbd } from "./kbd.tsx";
import { useAnchored } from "./use-anchored.ts";
import { useOutside } from "./use-outside.ts";
import { useRoving } from "./use-roving.ts";

/** A choice of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** A second line. Of a disabled choice it says why. */
  readonly description?: string | undefined;
  readonly icon?: ReactNode;
  readonly shortcut?: string | undefined;
  /** Given for one of several choices, of which this one holds or not. */
  readonly checked?: boolean | undefined;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly onSelect: () => void;
}

/** Choices that belong together, with a heading if they need one. */
export interface MenuSection {
  readonly heading?: string | undefined;
  readonly items: readonly MenuItem[];
}

/** Props that the button of a menu must spread. */
type MenuTriggerProps = Pick<
  ComponentProps<"button">,
  "aria-haspopup" | "aria-expanded" | "aria-controls" | "onClick" | "onKeyDown"
>;

interface MenuProps {
  readonly label: string;
  readonly sections: readonly MenuSection[];
  /** Renders the button that opens it. */
  readonly trigger: (props: MenuTriggerProps) => ReactNode;
  readonly side?: "above" | "below" | undefined;
  readonly align?: "start" | "end" | undefined;
  /** Shown below the choices, such as an explanation. */
  readonly footer?: ReactNode;
}

/** A button with a menu: arrow keys, Home, End and letters move in it, Esc closes it and gives the focus back. */
export function Menu({ label, sections, trigger, side, align, footer }: MenuProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useAnchored(anchor, list, { open, side, align });
  useOutside([anchor, list], open, () => setOpen(false));
  const roving = useRoving(list, { selector: "[role^=menuitem]", open, start: "[aria-checked=true]" });

  const close = (): void => {
    setOpen(false);
    anchor.current?.querySelector("button")?.focus();
  };
  const choose = (item: MenuItem): void => {
    if (item.disabled === true) return;
    close();
    item.onSelect();
  };
  return (
    <span ref={anchor} className="ui-menu-anchor">
      {trigger({
        "aria-haspopup": "menu",
        "aria-expanded": open,
        ...(open && { "aria-controls": id }),
        onClick: () => setOpen(!open),
        onKeyDown: (event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the choices
        <div
          ref={list}
          id={id}
          className="ui-menu"
          popover="manual"
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.preventDefault();
              event.stopPropagation();
              close();
            } else if (event.key === "Tab") setOpen(false);
            else roving(event);
          }}
        >
          <div role="menu" aria-label={label}>
            {sections.map((section, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name
              <MenuSectionView key={index} section={section} onChoose={choose} />
            ))}
          </div>
          {footer !== undefined && <div className="ui-menu-footer">{footer}</div>}
        </div>
      )}
    </span>
  );
}

function MenuSectionView({
  section,
  onChoose,
}: {
  readonly section: MenuSection;
  readonly onChoose: (item: MenuItem) => void;
}) {
  const headingId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
    <div
      className="ui-menu-section"
      role="group"
      aria-labelledby={section.heading === undefined ? undefined : headingId}
    >
      {section.heading !== undefined && (
        <div className="ui-menu-heading" id={headingId}>
          {section.heading}
        </div>
      )}
      {section.items.map((item) => (
        <button
          key={item.id}
          type="button"
          {...(item.checked === undefined
            ? { role: "menuitem" }
            : { role: "menuitemradio", "aria-checked": item.checked })}
          aria-disabled={item.disabled === true || undefined}
          tabIndex={-1}
          className={classNames("ui-menu-item", item.danger === true && "is-danger")}
          onClick={() => onChoose(item)}
        >
          <span className="ui-menu-icon" aria-hidden="true">
            {item.checked === true ? <Check size={16} /> : item.icon}
          </span>
          <span className="ui-menu-text">
            <span className="ui-menu-label">{item.label}</span>
            {item.description !== undefined && <span className="ui-menu-description">{item.description}</span>}
          </span>
          {item.shortcut !== undefined && <Kbd keys={item.shortcut} />}
        </button>
      ))}
    </div>
  );
}
