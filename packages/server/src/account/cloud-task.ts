import { openConfig } from "../config/open-config.ts";
import type { Log } from "../lib/log.ts";
import { isTable } from "../lib/table.ts";
import { Account } from "./account.ts";
import { ChatgptApi, chatgptUrl } from "./chatgpt-api.ts";

/** A task of Codex Cloud, and whose login it is asked for with. */
export interface TaskRequest {
  readonly taskId: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configOverrides?: Readonly<Record<string, unknown>> | undefined;
  /** Receives what is wrong with the stored login. */
  readonly warn: (problem: string) => void;
}

/** The latest changes of a task, as a patch for git. Rejects with the reason where there are none to be had. */
export async function fetchTaskDiff({ taskId, home, env, configOverrides, warn }: TaskRequest): Promise<string> {
  // The user's own configuration alone: a project must not say to whom the login is sent.
  const { config } = openConfig({ home, env, cliOverrides: configOverrides }).read({ cwd: home });
  const log: Log = { error: warn, warn, info: () => undefined, debug: () => undefined };
  const credentialStore = () => config.cli_auth_credentials_store;
  const account = new Account({ home, env, log, connections: new Set(), credentialStore });
  if (account.login === null || account.login.mode === "apikey")
    throw new Error("tasks of Codex Cloud need a login with ChatGPT: run `codex login`");
  const answer = await new ChatgptApi(account).request(chatgptUrl(config), `/tasks/${encodeURIComponent(taskId)}`);
  return diffOf(answer);
}

function diffOf(answer: unknown): string {
  const turn = isTable(answer) ? answer.current_diff_task_turn : undefined;
  if (!isTable(turn)) throw new Error("the task has no changes yet: wait until it has made some");
  const items = Array.isArray(turn.output_items) ? turn.output_items.filter(isTable) : [];
  const output = items.find(({ type }) => type === "pr")?.output_diff;
  const diff = isTable(output) ? output.diff : undefined;
  if (typeof diff !== "string" || diff.trim() === "") throw new Error("the task's latest turn has no changes");
  return diff;
}
