import type { CodexClient, TurnInput, TurnOptions, TurnResult, TurnStream } from "@quire/client";
import { useCallback, useMemo, useRef, useState } from "react";

/** The turn that was started last. */
export interface TurnProgress {
  /** `idle` before the first. */
  readonly status: "idle" | "running" | "completed" | "interrupted" | "failed";
  /** The text of the agent's message that is being written, or was written last. */
  readonly text: string;
  /** The reason of a failure. */
  readonly error: Error | null;
  /** The result of a turn that has ended and did not fail. */
  readonly result: TurnResult | null;
}

/** The calls that a page makes. */
export interface TurnControls {
  /** Starts a turn; one that is started while another runs waits for its end. Failures are in `error`, and never thrown. */
  readonly run: (input: TurnInput, options?: TurnOptions) => void;
  /** Adds input to the turn that runs. */
  readonly steer: (input: TurnInput) => Promise<void>;
  /** Stops the turn that runs; resolves when it has ended. */
  readonly interrupt: () => Promise<void>;
}

const idle: TurnProgress = { status: "idle", text: "", error: null, result: null };

/**
 * Runs turns on a thread and shows how the latest does. It goes on when the component is gone.
 *
 * ```tsx
 * const { run, status, text, interrupt } = useTurn(codex, threadId);
 * ```
 */
export function useTurn(
  codex: Pick<CodexClient, "handle"> | null | undefined,
  threadId: string | null | undefined,
): TurnProgress & TurnControls {
  const thread = useMemo(() => (codex && threadId ? codex.handle(threadId) : undefined), [codex, threadId]);
  const [progress, setProgress] = useState({ thread, ...idle });
  const latest = useRef<TurnStream<TurnResult> | undefined>(undefined);

  const run = useCallback(
    (input: TurnInput, options?: TurnOptions) => {
      if (!thread) throw new Error("There is no thread yet: wait for its id before you run a turn");
      const turn = thread.stream(input, { ...options });
      latest.current = turn;
      const show = (change: Partial<TurnProgress>) => {
        if (latest.current === turn) setProgress((now) => ({ ...now, ...change, thread }));
      };
      setProgress({ ...idle, status: "running", thread });
      void follow(turn, show);
    },
    [thread],
  );
  const steer = useCallback(async (input: TurnInput) => latest.current?.steer(input), []);
  const interrupt = useCallback(async () => latest.current?.interrupt(), []);
  // What happened on another thread is not shown on this one.
  const { status, text, error, result } = progress.thread === thread ? progress : idle;
  return { status, text, error, result, run, steer, interrupt };
}

/** Shows a turn from its first event to its end. Never rejects. */
async function follow(turn: TurnStream<TurnResult>, show: (change: Partial<TurnProgress>) => void): Promise<void> {
  let itemId = "";
  let text = "";
  try {
    for await (const event of turn) {
      if (event.type === "agentMessage.delta") {
        text = event.itemId === itemId ? text + event.delta : event.delta;
        itemId = event.itemId;
        show({ text });
      } else if (event.type === "item.completed" && event.item.type === "agentMessage") {
        // Whole, also where pieces were missed.
        show({ text: event.item.text });
      }
    }
    const result = await turn.result;
    show({ status: result.status === "interrupted" ? "interrupted" : "completed", result });
  } catch (thrown) {
    show({ status: "failed", error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
  }
}
