import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { keysIn, keysOf } from "./key-bindings.ts";
import { linkProvider } from "./terminal-links.ts";

interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

/** Events of a screen. */
export interface ScreenEvents {
  readonly onInput: (text: string) => void;
  readonly onResize: (size: ScreenSize) => void;
  /** A web address was clicked. */
  readonly onLink: (href: string) => void;
}

/** A terminal on the page. Its opener disposes of it. */
export interface Screen {
  /** Shows output. What is `replayed` is answered by nobody: its questions to the terminal are old. */
  write(bytes: Uint8Array, replayed?: boolean): void;
  size(): ScreenSize;
  focus(): void;
  dispose(): void;
}

/** Lines that can be scrolled back to. */
const scrollback = 5000;

/** Opens a terminal in an element, fitted to it, in the colours of the page. */
export function openScreen(parent: HTMLElement, { onInput, onResize, onLink }: ScreenEvents): Screen {
  const terminal = new Terminal({
    scrollback,
    fontFamily: token("--font-mono"),
    fontSize: Number.parseFloat(token("--text-sm")) || 12,
    lineHeight: 1.3,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    screenReaderMode: true,
    theme: pageTheme(),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(parent);
  fit.fit();
  terminal.attachCustomKeyEventHandler((event) => !leavesTerminal(event));
  let replaying = 0;
  terminal.onData((text) => {
    if (replaying === 0) onInput(text);
  });
  terminal.registerLinkProvider(linkProvider(terminal, onLink));
  terminal.onResize(({ cols, rows }) => onResize({ cols, rows }));

  const observer = new ResizeObserver(() => {
    // A hidden element has no size to fit to.
    if (parent.clientWidth > 0 && parent.clientHeight > 0) fit.fit();
  });
  observer.observe(parent);
  const themes = new MutationObserver(() => {
    terminal.options.theme = pageTheme();
  });
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return {
    write: (bytes, replayed = false) => {
      if (!replayed) return terminal.write(bytes);
      replaying += 1;
      terminal.write(bytes, () => {
        replaying -= 1;
      });
    },
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    focus: () => terminal.focus(),
    dispose: () => {
      observer.disconnect();
      themes.disconnect();
      terminal.dispose();
    },
  };
}

/** Everything is for the shell but the key that hides the terminal: without it a keyboard would not get out. */
const leavesTerminal = (event: KeyboardEvent): boolean => keysIn(event) === keysOf("terminal");

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

function pageTheme(): ITheme {
  const theme: Record<string, string> = {
    background: token("--surface-0"),
    foreground: token("--text"),
    cursor: token("--accent-text"),
    cursorAccent: token("--surface-0"),
    selectionBackground: token("--selection"),
  };
  for (const colour of colours) {
    theme[colour] = token(`--ansi-${colour}`);
    theme[`bright${colour.charAt(0).toUpperCase()}${colour.slice(1)}`] = token(`--ansi-bright-${colour}`);
  }
  return theme;
}
