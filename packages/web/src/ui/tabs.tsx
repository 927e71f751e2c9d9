import { type ReactNode, useId, useRef } from "react";
import { classNames } from "./class-names.ts";
import { useRoving } from "./use-roving.ts";

interface Tab<Id extends string = string> {
  readonly id: Id;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A number or mark behind the label. */
  readonly badge?: ReactNode;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** At the end of the row of tabs. */
  readonly actions?: ReactNode;
}

/** Tabs with the panel of the selected one. Arrow keys move between them and select. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children, ...rest }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const roving = useRoving(list, { selector: "[role=tab]", orientation: "horizontal" });
  return (
    <div className={classNames("ui-tabs", rest.className)}>
      <div className="ui-tabs-head">
        <div
          ref={list}
          className="ui-tabs-list"
          role="tablist"
          aria-label={label}
          onKeyDown={(event) => {
            roving(event);
            const focused = (document.activeElement as HTMLElement | null)?.dataset.tab;
            if (focused !== undefined && focused !== selected) onSelect(focused as Id);
          }}
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              data-tab={tab.id}
              aria-selected={tab.id === selected}
              aria-controls={tab.id === selected ? `${id}-panel` : undefined}
              tabIndex={tab.id === selected ? 0 : -1}
              className="ui-tab"
              onClick={() => onSelect(tab.id)}
            >
              {tab.icon}
              <span>{tab.label}</span>
              {tab.badge !== undefined && <span className="ui-tab-badge">{tab.badge}</span>}
            </button>
          ))}
        </div>
        {rest.actions}
      </div>
      <div
        id={`${id}-panel`}
        className="ui-tab-panel"
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
