import { ChevronDown, Plus, RotateCw, SquareTerminal, Trash2 } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { messageOf, type TerminalHandle, type TerminalSink } from "../state/index.ts";
import { Button, EmptyState, focusMain, IconButton, Notice, Spinner, useReturnFocus } from "../ui/index.ts";
import { terminalWords } from "../words/words.ts";
import "./side-panel.css";
import type { Screen } from "./terminal-screen.ts";

interface TerminalDrawerProps {
  readonly cwd: string;
  /** Ids of the terminals, in the order in which they were opened. */
  readonly terminals: readonly string[];
  /** The one that is shown; null while there is none. */
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly onNew: () => void;
  /** Why there can be no terminal now, with the remedy; null where there can. */
  readonly unavailable: string | null;
  readonly onAttach: (id: string, onOutput: TerminalSink) => Promise<TerminalHandle>;
  /** It is kept out of sight, and what runs in it goes on. */
  readonly hidden?: boolean | undefined;
  readonly onHide: () => void;
  /** Ends a terminal and opens another in its place. */
  readonly onRestart: (id: string) => void;
  /** Ends what runs in a terminal. */
  readonly onEnd: (id: string) => void;
  /** A web address in a terminal was clicked. */
  readonly onLink: (href: string) => void;
}

type State =
  | { readonly phase: "loading" | "running" }
  | { readonly phase: "ended"; readonly exitCode: number | null }
  | { readonly phase: "failed"; readonly error: string };

/** Shells on the server's machine, one of which is shown. They run on while they are hidden. */
export function TerminalDrawer(props: TerminalDrawerProps) {
  const { cwd, terminals, selected, onSelect, onNew, unavailable, hidden = false, onHide, onRestart, onEnd } = props;
  const drawer = useRef<HTMLElement>(null);
  useReturnFocus(drawer);
  useHiddenFocus(drawer, hidden);
  return (
    <section ref={drawer} className="side-terminal" aria-label={terminalWords.title}>
      <header className="side-terminal-head">
        <SquareTerminal size={14} aria-hidden="true" />
        {terminals.length > 1 ? (
          <span className="side-terminal-tabs">
            {terminals.map((id, index) => (
              <button
                key={id}
                type="button"
                className="side-terminal-tab"
                aria-current={id === selected || undefined}
                onClick={() => onSelect(id)}
              >
                {terminalWords.nth(index + 1)}
              </button>
            ))}
          </span>
        ) : (
          <span className="side-terminal-cwd">{cwd}</span>
        )}
        <IconButton label={terminalWords.add} icon={<Plus size={14} />} onClick={onNew} />
        {selected !== null && (
          <>
            <IconButton
              label={terminalWords.restart}
              icon={<RotateCw size={14} />}
              onClick={() => onRestart(selected)}
            />
            <IconButton label={terminalWords.end} icon={<Trash2 size={14} />} onClick={() => onEnd(selected)} />
          </>
        )}
        <IconButton label={terminalWords.hide} shortcut="Mod+J" icon={<ChevronDown size={16} />} onClick={onHide} />
      </header>
      {unavailable !== null ? (
        <EmptyState icon={<SquareTerminal size={24} />} title={terminalWords.none}>
          {unavailable}
        </EmptyState>
      ) : selected === null ? (
        <Spinner label={terminalWords.opening} />
      ) : (
        <Shell
          key={selected}
          id={selected}
          onAttach={props.onAttach}
          onRestart={() => onRestart(selected)}
          onLink={props.onLink}
        />
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

interface ShellProps extends Pick<TerminalDrawerProps, "onAttach" | "onLink"> {
  readonly id: string;
  readonly onRestart: () => void;
}

function Shell({ id, onAttach, onRestart, onLink }: ShellProps) {
  const element = useRef<HTMLDivElement>(null);
  const calls = useRef({ onAttach, onLink });
  calls.current = { onAttach, onLink };
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
        onLink: (href) => calls.current.onLink(href),
      });
      const attached = await calls.current.onAttach(id, (bytes, replayed) => screen?.write(bytes, replayed));
      if (ended.signal.aborted) return attached.detach();
      shell = attached;
      void shell.resize(screen.size()).catch(() => undefined);
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
      shell?.detach();
      screen?.dispose();
    };
  }, [id]);

  return (
    <div className="side-shell">
      {state.phase === "loading" && <Spinner label={terminalWords.opening} />}
      <div ref={element} className="side-screen" />
      {(state.phase === "ended" || state.phase === "failed") && (
        <Notice
          tone={state.phase === "failed" ? "danger" : "neutral"}
          actions={
            <Button size="small" onClick={onRestart}>
              {terminalWords.restart}
            </Button>
          }
        >
          {state.phase === "failed" ? terminalWords.failed(state.error) : terminalWords.ended(state.exitCode)}
        </Notice>
      )}
    </div>
  );
}
