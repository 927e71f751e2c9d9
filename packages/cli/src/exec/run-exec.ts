import { openSync, writeFileSync } from "node:fs";
import type { ReviewTarget, Turn, UserInput } from "@quire/protocol";
import { interruptible } from "../run/interruptible.ts";
import { followTurn } from "./follow-turn.ts";
import { type Link, openLink } from "./link.ts";
import { openThread, type ThreadChoice, type ThreadSettings } from "./open-thread.ts";
import type { ExecOutput } from "./output.ts";
import { refuseLinks } from "./refuse-links.ts";
import { summaryOf } from "./summary.ts";

/** Task for a thread. */
export type Work =
  | { readonly kind: "turn"; readonly input: UserInput[]; readonly outputSchema?: unknown }
  | { readonly kind: "review"; readonly target: ReviewTarget }
  | { readonly kind: "nothing" };

/** A call of `exec` or `review`. */
export interface ExecRequest {
  readonly overrides: Readonly<Record<string, unknown>>;
  /** Runs once the server is there, before the thread. */
  readonly beforeThread: (link: Link) => Promise<void>;
  readonly choice: ThreadChoice;
  readonly settings: ThreadSettings;
  readonly work: Work;
  /** Prompt as people see it. */
  readonly prompt: string;
  readonly output: ExecOutput;
  readonly isJson: boolean;
  readonly lastMessageFile: string | undefined;
}

/** Does the work and prints it. Returns the exit code: 0 completed, 1 failed or interrupted. */
export async function runExec(request: ExecRequest): Promise<number> {
  const { choice, settings, work, prompt, output, lastMessageFile } = request;
  const lastMessage =
    lastMessageFile === undefined ? undefined : openFile(lastMessageFile, [settings.cwd, ...settings.addDir]);
  await using link = await openLink({ overrides: request.overrides, clientName: "codex_exec", source: "exec" });
  await request.beforeThread(link);
  const opened = await openThread(link, choice, settings);
  const threadId = opened.thread.id;
  output.begin(request.isJson ? { threadId, settings: [], prompt } : await summaryOf(link, opened, prompt));
  if (work.kind === "nothing") return 0;
  const turn = await startWork(link, threadId, work);
  const turnId = turn.id;
  if (work.kind === "review") output.take({ method: "turn/started", params: { threadId, turn } });
  const interrupt = () => link.connection.request("turn/interrupt", { threadId, turnId });
  const follow = async () => {
    const end = await followTurn(link, { threadId, turnId }, output);
    output.end(end);
    if (lastMessage !== undefined && end.turn.status === "completed") writeLastMessage(lastMessage, end.lastMessage);
    return end.turn.status === "completed" ? 0 : 1;
  };
  // Awaited: the link must not be disposed of before.
  return await interruptible({ interrupt }, follow, link);
}

async function startWork(
  { connection }: Link,
  threadId: string,
  work: Exclude<Work, { kind: "nothing" }>,
): Promise<Turn> {
  if (work.kind === "review") return (await connection.request("review/start", { threadId, target: work.target })).turn;
  const { input, outputSchema } = work;
  return (await connection.request("turn/start", { threadId, input, outputSchema })).turn;
}

/** Before the turn: who cannot have its result should not pay for it. */
function openFile(file: string, folders: readonly string[]): { readonly file: string; readonly fd: number } {
  try {
    refuseLinks(file, folders);
    return { file, fd: openSync(file, "w") };
  } catch (error) {
    throw new Error(`Failed to open last message file "${file}": ${(error as Error).message}`, { cause: error });
  }
}

function writeLastMessage(
  { file, fd }: { readonly file: string; readonly fd: number },
  message: string | undefined,
): void {
  if (message === undefined) process.stderr.write(`Warning: no last agent message; wrote empty content to ${file}\n`);
  else writeFileSync(fd, message);
}
