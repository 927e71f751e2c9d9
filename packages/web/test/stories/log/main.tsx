import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { ThreadState } from "../../../src/state/model.ts";
import { ThreadView } from "../../../src/thread/thread-view.tsx";
import { makeThread, type StoryTurn } from "./make-thread.ts";
import { tinyPng } from "./sample-items.ts";

/** What a test can do with the page. */
export interface Story {
  /** Threads and older turns that were asked for, in order. */
  readonly calls: string[];
  /** Shows a thread. */
  show(turns: readonly StoryTurn[], rest?: Partial<ThreadState>): void;
  /** Shows a thread of so many items, and so many characters in each message. */
  showLong(items: number, characters: number): void;
  /** Changes the thread that is shown. */
  change(rest: Partial<ThreadState>): void;
  /** Adds text to an agent message or to the output of a command. */
  append(itemId: string, text: string): void;
  /** Puts turns before the others. */
  prepend(turns: readonly StoryTurn[], olderCursor: string | null): void;
  /** Adds turns at the end. */
  add(turns: readonly StoryTurn[]): void;
  /** Streams a text in so many pieces, some in every frame, as the store does it. Resolves with the ms of each frame. */
  stream(itemId: string, piece: string, times: number): Promise<readonly number[]>;
}

declare global {
  interface Window {
    story: Story;
  }
}

let thread = makeThread([]);
const listeners = new Set<() => void>();
const set = (next: ThreadState): void => {
  thread = { ...next, version: thread.version + 1 };
  flushSync(() => {
    for (const listener of listeners) listener();
  });
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const calls: string[] = [];
const onLoadOlder = (): void => {
  calls.push(`older ${thread.olderCursor}`);
};
const onOpenThread = (id: string): void => {
  calls.push(`open ${id}`);
};
const agentName = (id: string): string | null => (id === "child-1" ? "Ada (scout)" : null);
const readFile = async (): Promise<string> => tinyPng;

function Page() {
  const shown = useSyncExternalStore(subscribe, () => thread);
  return (
    <ThreadView
      thread={shown}
      onLoadOlder={onLoadOlder}
      onOpenThread={onOpenThread}
      agentName={agentName}
      readFile={readFile}
      renderRequest={(request) => <p>Question {request.id}</p>}
    />
  );
}

function append(itemId: string, text: string): void {
  const state = thread.items.get(itemId);
  if (state === undefined) return;
  const { item } = state;
  const next =
    item.type === "commandExecution"
      ? { ...item, aggregatedOutput: (item.aggregatedOutput ?? "") + text }
      : item.type === "agentMessage"
        ? { ...item, text: item.text + text }
        : item;
  set({ ...thread, items: new Map(thread.items).set(itemId, { ...state, item: next }) });
}

const merged = (turns: readonly StoryTurn[]): Pick<ThreadState, "turns" | "items"> => {
  const made = makeThread(turns);
  return { turns: made.turns, items: new Map([...thread.items, ...made.items]) };
};

function longTurns(items: number, characters: number): StoryTurn[] {
  const perTurn = 20;
  const text = "Some **words** about `things` that happened.\n\n"
    .repeat(Math.ceil(characters / 46))
    .slice(0, characters);
  return Array.from({ length: Math.ceil(items / perTurn) }, (_, turn) => ({
    id: `turn-${turn}`,
    items: Array.from({ length: perTurn }, (__, index) => ({
      type: "agentMessage" as const,
      id: `item-${turn}-${index}`,
      text: `Message ${turn * perTurn + index}. ${text}`,
    })),
  }));
}

document.documentElement.dataset.theme = location.hash === "#light" ? "light" : "dark";
const root = document.getElementById("root");
// At once: who finds the story below finds a page that shows what it is told.
if (root !== null) flushSync(() => createRoot(root).render(<Page />));

window.story = {
  calls,
  show: (turns, rest) => set(makeThread(turns, rest)),
  showLong: (items, characters) => set(makeThread(longTurns(items, characters))),
  change: (rest) => set({ ...thread, ...rest }),
  append,
  prepend(turns, olderCursor) {
    const added = merged(turns);
    set({ ...thread, turns: [...added.turns, ...thread.turns], items: added.items, olderCursor, loadingOlder: false });
  },
  add(turns) {
    const added = merged(turns);
    set({ ...thread, turns: [...thread.turns, ...added.turns], items: added.items });
  },
  async stream(itemId, piece, times) {
    const spent: number[] = [];
    const perFrame = 80;
    for (let done = 0; done < times; done += perFrame) {
      await new Promise(requestAnimationFrame);
      const start = performance.now();
      append(itemId, piece.repeat(Math.min(perFrame, times - done)));
      spent.push(performance.now() - start);
    }
    return spent;
  },
};
