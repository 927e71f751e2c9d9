import { useState } from "react";
import type { OrchestratorApi } from "./api.ts";

/** Commands of an operator, which of them run, and why the last one failed. */
export interface Commands {
  readonly error: string | null;
  /** Keys of the commands that are under way. */
  readonly busy: ReadonlySet<string>;
  readonly run: (name: "refresh" | "pause" | "resume") => void;
  readonly runOn: (identifier: string, name: "retry" | "stop") => void;
}

/** The commands of an orchestrator. */
export function useCommands(api: OrchestratorApi): Commands {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const track = async (key: string, work: () => Promise<void>): Promise<void> => {
    setBusy((before) => new Set(before).add(key));
    try {
      await work();
      setError(null);
    } catch (reason) {
      setError((reason as Error).message);
    } finally {
      setBusy((before) => new Set([...before].filter((each) => each !== key)));
    }
  };

  return {
    error,
    busy,
    run: (name) => void track(name, () => api.command(name)),
    runOn: (identifier, name) => void track(commandKey(identifier, name), () => api.issueCommand(identifier, name)),
  };
}

/** The key of a command for one issue, as {@link Commands.busy} holds it. */
export function commandKey(identifier: string, name: string): string {
  return `${name} ${identifier}`;
}
