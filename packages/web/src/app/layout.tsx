import { type ReactNode, useRef, useState } from "react";
import { classNames, Resizer, Sheet, useReturnFocus, useSize } from "../ui/index.ts";
import { narrowQuery, phoneQuery, useMedia } from "../ui/use-media.ts";
import { appWords, layoutWords } from "../words/words.ts";

/** The parts of a layout. */
export interface LayoutProps {
  readonly sidebar: ReactNode;
  readonly main: ReactNode;
  /** The panel beside the main part; null where there is none. */
  readonly panel: ReactNode;
  readonly sidebarOpen: boolean;
  readonly onSidebarClose: () => void;
  readonly onPanelClose: () => void;
}

/**
 * Sidebar, main part and panel side by side; on a phone the sidebar and the panel are sheets over the main part, and on
 * a narrow screen the panel is.
 */
export function Layout(props: LayoutProps): ReactNode {
  const { sidebar, main, panel, sidebarOpen, onSidebarClose, onPanelClose } = props;
  const phone = useMedia(phoneQuery);
  const narrow = useMedia(narrowQuery);
  return (
    <div className={classNames("app-layout", !phone && sidebarOpen && "has-sidebar")}>
      {!phone && sidebarOpen && <Side>{sidebar}</Side>}
      <main className="app-main">{main}</main>
      {!narrow && panel !== null && <Aside>{panel}</Aside>}
      {phone && sidebarOpen && (
        <Sheet label={appWords.sidebar} side="left" onClose={onSidebarClose}>
          {sidebar}
        </Sheet>
      )}
      {narrow && panel !== null && (
        <Sheet label={appWords.sidePanel} side={phone ? "bottom" : "right"} onClose={onPanelClose}>
          {panel}
        </Sheet>
      )}
    </div>
  );
}

const sidebarBounds = { initial: 272, min: 200, max: 480 };
const panelBounds = { initial: 420, min: 300, max: 900 };

function Side({ children }: { readonly children: ReactNode }): ReactNode {
  const [size, setSize] = useSize("sidebar", sidebarBounds);
  return (
    <div className="app-sidebar" style={{ width: size }}>
      {children}
      <Resizer label={layoutWords.resizeSidebar} edge="right" size={size} onSize={setSize} {...sidebarBounds} />
    </div>
  );
}

function Aside({ children }: { readonly children: ReactNode }): ReactNode {
  const [size, setSize] = useSize("panel", panelBounds);
  const element = useRef<HTMLElement>(null);
  useReturnFocus(element);
  return (
    <aside ref={element} className="app-side-panel" aria-label={appWords.sidePanel} style={{ width: size }}>
      {children}
      <Resizer label={layoutWords.resizePanel} edge="left" size={size} onSize={setSize} {...panelBounds} />
    </aside>
  );
}

/** The sidebar's state: remembered on a wide screen, closed to begin with on a phone. */
export function useSidebarOpen(): readonly [boolean, (open: boolean) => void] {
  const phone = useMedia(phoneQuery);
  const [wide, setWide] = useState(() => readOpen());
  const [sheet, setSheet] = useState(false);
  const set = (open: boolean): void => {
    if (phone) setSheet(open);
    else {
      setWide(open);
      writeOpen(open);
    }
  };
  return [phone ? sheet : wide, set];
}

const storageKey = "quire.sidebar";

function readOpen(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "closed";
  } catch {
    return true;
  }
}

function writeOpen(open: boolean): void {
  try {
    localStorage.setItem(storageKey, open ? "open" : "closed");
  } catch {
    // It is then open again after a reload.
  }
}
