import { ChevronDown, RotateCw, SquareTerminal, Trash2 } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { messageOf, type TerminalHandle, type TerminalOptions } from "../state/index.ts";
import { Button, EmptyState, focusMain, IconButton, Notice, Spinner, useReturnFocus } from "../ui/index.ts";
import "./side-panel.css";
import type { Screen } from "./terminal-screen.ts";

interface TerminalDrawerProps {
  readonly cwd: string;
  /** Why there can be no terminal now, with the remedy; null where there can. */
  readonly unavailable: string | null;
  readonly onOpen: (options: TerminalOptions) => TerminalHandle;
  /** It is kept out of sight, and what runs in it goes on. */
  readonly hidden?: boolean | undefined;
  readonly onHide: () => void;
  /** Ends what runs in it. */
  readonly onEnd: () => void;
}

type State =
  | { readonly phase: "loading" | "running" }
  | { readonly phase: "ended"; readonly exitCode: number | null }
  | { readonly phase: "failed"; readonly error: string };

/** A shell on the server's machine. It runs on while it is hidden. */
export function TerminalDrawer({ cwd, unavailable, hidden = false, onOpen, onHide, onEnd }: TerminalDrawerProps) {
  const [round, setRound] = useState(0);
  const drawer = useRef<HTMLElement>(null);
  useReturnFocus(drawer);
  useHiddenFocus(drawer, hidden);
  return (
    <section ref={drawer} className="side-terminal" aria-label="Terminal">
      <header className="side-terminal-head">
        <SquareTerminal size={14} aria-hidden="true" />
        <span className="side-terminal-cwd">{cwd}</span>
        <IconButton label="Restart shell" icon={<RotateCw size={14} />} onClick={() => setRound(round + 1)} />
        <IconButton label="End terminal" icon={<Trash2 size={14} />} onClick={onEnd} />
        <IconButton label="Minimize terminal" shortcut="Mod+J" icon={<ChevronDown size={16} />} onClick={onHide} />
      </header>
      {unavailable === null ? (
        <Shell key={round} cwd={cwd} onOpen={onOpen} onRestart={() => setRound(round + 1)} />
      ) : (
        <EmptyState icon={<SquareTerminal size={24} />} title="No terminal here">
          {unavailable}
        </EmptyState>
      )}
    </section>
  );
}

/** Hidden, the terminal gives the focus to the message; shown again, it takes it. */
function useHiddenFocus(drawer: RefObject<HTMLElement | null>, hidden: boolean): void {
  const before = useRef(hidden);
  useEffect(() => {
    if (before.current === hidden) return;
    before.current = hidden;
    if (!hidden) drawer.current?.querySelector<HTMLElement>("textarea")?.focus();
    else if (document.activeElement === document.body || drawer.current?.contains(document.activeElement)) focusMain();
  }, [drawer, hidden]);
}

interface ShellProps extends Pick<TerminalDrawerProps, "cwd" | "onOpen"> {
  readonly onRestart: () => void;
}

function Shell({ cwd, onOpen, onRestart }: ShellProps) {
  const element = useRef<HTMLDivElement>(null);
  const open = useRef(onOpen);
  open.current = onOpen;
  const [state, setState] = useState<State>({ phase: "loading" });

  useEffect(() => {
    const ended = new AbortController();
    let screen: Screen | undefined;
    let shell: TerminalHandle | undefined;
    const start = async (): Promise<void> => {
      const { openScreen } = await import("./terminal-screen.ts");
      const parent = element.current;
      if (ended.signal.aborted || parent === null) return;
      screen = openScreen(parent, {
        onInput: (text) => void shell?.write(text).catch(() => undefined),
        onResize: (size) => void shell?.resize(size).catch(() => undefined),
      });
      shell = open.current({ cwd, size: screen.size(), onOutput: (bytes) => screen?.write(bytes) });
      setState({ phase: "running" });
      screen.focus();
      const { exitCode } = await shell.exited;
      if (!ended.signal.aborted) setState({ phase: "ended", exitCode });
    };
    start().catch((error: unknown) => {
      if (!ended.signal.aborted) setState({ phase: "failed", error: messageOf(error) });
    });
    return () => {
      ended.abort();
      shell?.close();
      screen?.dispose();
    };
  }, [cwd]);

  return (
    <div className="side-shell">
      {state.phase === "loading" && <Spinner label="Opening the terminal…" />}
      <div ref={element} className="side-screen" />
      {(state.phase === "ended" || state.phase === "failed") && (
        <Notice
          tone={state.phase === "failed" ? "danger" : "neutral"}
          actions={
            <Button size="small" onClick={onRestart}>
              Restart shell
            </Button>
          }
        >
          {state.phase === "failed" ? `The terminal failed: ${state.error}` : endedText(state.exitCode)}
        </Notice>
      )}
    </div>
  );
}

const endedText = (exitCode: number | null): string =>
  exitCode === null || exitCode === 0 ? "The shell has ended." : `The shell has ended with code ${exitCode}.`;
