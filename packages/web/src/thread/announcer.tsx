import { useEffect, useRef, useState } from "react";
import { clipped } from "../items/format.ts";
import type { ThreadState } from "../state/model.ts";
import { threadWords } from "../words/words.ts";

const ends: Readonly<Record<string, string>> = {
  completed: threadWords.turnDone,
  interrupted: threadWords.turnStopped,
  failed: threadWords.turnFailed,
};

/**
 * Tells screen readers what was added: whole messages and the ends of turns. The log itself is silent, for its rows come
 * and go while one scrolls, and text that grows would be read from its start over and over.
 */
export function Announcer({ thread }: { readonly thread: ThreadState }) {
  const [text, setText] = useState("");
  const announced = useRef<string | null>(null);
  const turn = thread.turns.at(-1);
  const last = turn?.itemIds.map((id) => thread.items.get(id)).findLast((state) => state?.item.type === "agentMessage");
  const message = last?.done === true && last.item.type === "agentMessage" ? last.item : null;
  const mark = `${turn?.id} ${turn?.status} ${message?.id}`;
  useEffect(() => {
    const first = announced.current === null;
    if (announced.current === mark) return;
    announced.current = mark;
    // What was there when the thread was opened is not news.
    if (first) return;
    const end = turn === undefined ? "" : (ends[turn.status] ?? "");
    setText(`${message === null ? "" : clipped(message.text, 500)} ${end}`.trim());
  }, [mark, message, turn]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}
