/**
 * A chat with Codex in a hundred lines: history, a running turn, its commands and changes, and approvals.
 * `startChat()` connects the page to an app-server, such as one of `quire app-server --listen ws://127.0.0.1:4500`.
 */
import { CodexClient } from "@quire/client";
import { Approvals } from "@quire/client/questions";
import type { ItemState } from "@quire/client/view";
import { useApprovals, useThread, useTurn } from "@quire/react";
import { type FormEvent, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

const approvals = new Approvals();

function Chat({ codex, threadId }: { codex: CodexClient; threadId: string }) {
  const { items, loading, error, olderCursor, loadOlder } = useThread(codex, threadId);
  const turn = useTurn(codex, threadId);
  return (
    <main>
      {olderCursor && (
        <button type="button" onClick={() => void loadOlder()}>
          Older
        </button>
      )}
      {loading && <p>Loading…</p>}
      {error && <p role="alert">{error}</p>}
      {items.map((state) => (
        <Item key={`${state.turnId} ${state.item.id}`} state={state} />
      ))}
      <Questions threadId={threadId} />
      {turn.error && <p role="alert">{turn.error.message}</p>}
      {turn.status === "running" && (
        <button type="button" onClick={() => void turn.interrupt()}>
          Stop
        </button>
      )}
      <Composer onSend={turn.run} />
    </main>
  );
}

function Item({ state: { item, done } }: { state: ItemState }) {
  switch (item.type) {
    case "userMessage":
      return <p className="user">{item.content.map((part) => (part.type === "text" ? part.text : "[image]"))}</p>;
    case "agentMessage":
      return <p className="agent">{item.text}</p>;
    case "commandExecution":
      return (
        <details>
          <summary>
            $ {item.command} {done ? item.status : "…"}
          </summary>
          <pre>{item.aggregatedOutput}</pre>
        </details>
      );
    case "fileChange":
      return <pre>{item.changes.map(({ path, diff }) => `${path}\n${diff}`).join("\n")}</pre>;
    default:
      return null;
  }
}

function Questions({ threadId }: { threadId: string }) {
  const { open, answer } = useApprovals(approvals, threadId);
  return open.map(({ id, kind, script, input, changes, reason }) => (
    <form key={id} className="question">
      <p>
        {kind} {reason}
      </p>
      <pre>{input ?? script ?? changes?.map(({ path, diff }) => `${path}\n${diff}`).join("\n")}</pre>
      <button type="button" onClick={() => answer(id, "accept")}>
        Allow
      </button>
      <button type="button" onClick={() => answer(id, "decline")}>
        Decline
      </button>
    </form>
  ));
}

function Composer({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text);
    setText("");
  };
  return (
    <form onSubmit={send}>
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
    </form>
  );
}

/** Connects to a server, starts a thread and shows it. */
export async function startChat(element: Element, server: string): Promise<void> {
  const codex = await CodexClient.connect(server, { onApproval: approvals.ask });
  const { id } = await codex.thread({ sandbox: "workspace-write", approvalPolicy: "untrusted" });
  createRoot(element).render(
    <StrictMode>
      <Chat codex={codex} threadId={id} />
    </StrictMode>,
  );
}
