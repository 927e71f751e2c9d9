import type { TerminalInfo } from "@quire/protocol/gateway";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { TerminalDrawer } from "../side-panel/index.ts";
import { keyText, messageOf, type ThreadKey, useActions, useStore } from "../state/index.ts";
import { Resizer, useSize } from "../ui/index.ts";
import { layoutWords, terminalWords } from "../words/words.ts";
import { ErrorBoundary } from "./error-boundary.tsx";

/** In pixels; a small window keeps some of the thread in sight. */
const bounds = { initial: 320, min: 120, max: 800 };

interface TerminalsProps {
  /** The thread in view. */
  readonly current: ThreadKey | null;
  /** True while its terminals are shown. */
  readonly open: boolean;
  readonly onHide: () => void;
  /** A web address in a terminal was clicked. */
  readonly onLink: (href: string) => void;
}

/** The terminals of the thread in view. They belong to the gateway: hidden, out of view or over a reload they run on. */
export function Terminals({ current, open, ...events }: TerminalsProps): ReactNode {
  const [size, setSize] = useSize("terminal", bounds);
  const key = current === null ? "" : keyText(current);
  const [opened, setOpened] = useState("");
  // A new link or a server that was started anew: what was shown is read again.
  const round = useStore((state) =>
    current === null ? "" : `${state.link === "open"} ${state.hubs.find(({ id }) => id === current.hub)?.epoch}`,
  );
  useEffect(() => {
    if (open) setOpened(key);
  }, [open, key]);
  if (current === null || (!open && opened !== key)) return null;
  return (
    <ErrorBoundary what={terminalWords.broken}>
      <div className="app-terminal" hidden={!open} style={{ height: size }}>
        <Resizer label={layoutWords.resizeTerminal} edge="top" size={size} onSize={setSize} {...bounds} />
        <ThreadTerminals key={`${key} ${round}`} threadKey={current} hidden={!open} {...events} />
      </div>
    </ErrorBoundary>
  );
}

interface ThreadTerminalsProps extends Pick<TerminalsProps, "onHide" | "onLink"> {
  readonly threadKey: ThreadKey;
  readonly hidden: boolean;
}

function ThreadTerminals({ threadKey: { hub, thread }, hidden, onHide, onLink }: ThreadTerminalsProps): ReactNode {
  const actions = useActions();
  const port = useMemo(() => actions.terminals(hub), [actions, hub]);
  const cwd = useStore(({ open, threads, gateway }) => {
    const key = keyText({ hub, thread });
    return open.get(key)?.settings.cwd || threads.get(key)?.cwd || gateway?.cwd || "/";
  });
  const ready = useStore((state) => state.hubs.find(({ id }) => id === hub)?.state === "ready");
  const [all, setAll] = useState<readonly TerminalInfo[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const opening = useRef(false);
  useEffect(() => {
    if (!ready) return;
    let stale = false;
    const stop = port.onChange(setAll);
    port.list().then(
      (terminals) => stale || setAll((newer) => newer ?? terminals),
      (reason: unknown) => stale || setError(messageOf(reason)),
    );
    return () => {
      stale = true;
      stop();
    };
  }, [port, ready]);
  const ids = all?.filter(({ threadId }) => threadId === thread).map(({ processId }) => processId) ?? [];
  const selected = ids.find((id) => id === chosen) ?? ids.at(-1) ?? null;

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    if (opening.current) return;
    opening.current = true;
    try {
      await action();
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      opening.current = false;
    }
  };
  const start = async (): Promise<void> => {
    setError(null);
    setChosen(await port.open(thread, cwd));
  };
  const isEmpty = all !== null && ids.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown with none, it opens the first
  useEffect(() => {
    if (ready && isEmpty && !hidden) void attempt(start);
  }, [ready, isEmpty, hidden]);
  return (
    <TerminalDrawer
      cwd={cwd}
      terminals={ids}
      selected={selected}
      hidden={hidden}
      unavailable={ready ? error : terminalWords.notConnected}
      onSelect={setChosen}
      onNew={() => void attempt(start)}
      onAttach={(id, onOutput) => port.attach(id, onOutput)}
      onRestart={(id) =>
        void attempt(async () => {
          await start();
          await port.close(id);
        })
      }
      onEnd={(id) => {
        if (ids.length === 1) onHide();
        void attempt(() => port.close(id));
      }}
      onHide={onHide}
      onLink={onLink}
    />
  );
}
