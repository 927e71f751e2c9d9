import { useState } from "react";
import type { IssueCommand, OrchestratorApi } from "./api.ts";

/** Commands of an operator, which of them run, and why the last one failed. */
export interface Commands {
  readonly error: string | null;
  /** Keys of the commands that are under way. */
  readonly busy: ReadonlySet<string>;
  readonly run: (name: "refresh" | "pause" | "resume") => void;
  /** Resolves with true if the orchestrator accepted it. */
  readonly runOn: (identifier: string, command: IssueCommand) => Promise<boolean>;
}

/** The commands of an orchestrator. */
export function useCommands(api: OrchestratorApi): Commands {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const track = async (key: string, work: () => Promise<void>): Promise<boolean> => {
    setBusy((before) => new Set(before).add(key));
    try {
      await work();
      setError(null);
      return true;
    } catch (reason) {
      setError((reason as Error).message);
      return false;
    } finally {
      setBusy((before) => new Set([...before].filter((each) => each !== key)));
    }
  };

  return {
    error,
    busy,
    run: (name) => void track(name, () => api.command(name)),
    runOn: (identifier, command) =>
      track(commandKey(identifier, command.name), () => api.issueCommand(identifier, command)),
  };
}

/** The key of a command for one issue, as {@link Commands.busy} holds it. */
export function commandKey(identifier: string, name: string): string {
  return `${name} ${identifier}`;
}
