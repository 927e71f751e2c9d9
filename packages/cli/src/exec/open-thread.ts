import { resolve } from "node:path";
import type { SandboxMode, ThreadStartParams, ThreadStartResponse } from "@quire/protocol";
import type { Link } from "./link.ts";

/** Thread that a turn runs in. */
export type ThreadChoice =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly thread: string | undefined; readonly last: boolean; readonly all: boolean }
  | { readonly kind: "fork"; readonly thread: string };

/** The settings that the command line gives to a thread. */
export interface ThreadSettings {
  readonly cwd: string;
  readonly model: string | undefined;
  readonly sandbox: SandboxMode | undefined;
  readonly addDir: readonly string[];
  /** Let a model review what needs approval. Otherwise nothing that needs approval runs. */
  readonly autoReview: boolean;
  readonly ephemeral: boolean;
  readonly threadSource: string | undefined;
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Starts, resumes or forks a thread. One that is named but not found is an error only where Codex makes it one. */
export async function openThread(
  link: Link,
  choice: ThreadChoice,
  given: ThreadSettings,
): Promise<ThreadStartResponse> {
  const { connection } = link;
  const params = threadParams(given);
  if (choice.kind === "fork") {
    const threadId = await findThread(link, choice.thread);
    if (threadId === undefined) throw new Error(`Session not found: ${choice.thread}`);
    const ephemeral = given.ephemeral || undefined;
    return connection.request("thread/fork", { threadId, ...params, ...(await configured(link, given)), ephemeral });
  }
  if (choice.kind === "resume") {
    const { thread } = choice;
    const threadId = choice.last
      ? await lastThread(link, choice.all ? undefined : given.cwd)
      : thread === undefined
        ? undefined
        : await findThread(link, thread);
    if (threadId !== undefined)
      return connection.request("thread/resume", { threadId, ...params, ...(await configured(link, given)) });
    if (thread !== undefined && !choice.last)
      process.stderr.write(`No thread is named '${thread}': starting a new one. \`quire threads\` lists them.\n`);
  }
  return connection.request("thread/start", {
    ...params,
    model: given.model,
    sandbox: given.sandbox,
    ephemeral: given.ephemeral || undefined,
    threadSource: given.threadSource ?? "user",
  });
}

function threadParams({ cwd, autoReview, addDir }: ThreadSettings) {
  return {
    cwd,
    approvalPolicy: autoReview ? "on-request" : "never",
    ...(autoReview && { approvalsReviewer: "auto_review" }),
    ...(addDir.length > 0 && { runtimeWorkspaceRoots: [cwd, ...addDir.map((dir) => resolve(cwd, dir))] }),
  } satisfies Partial<ThreadStartParams>;
}

/** A stored thread gets the settings of now, not those it had: who resumes it may have less trust in it. */
async function configured({ connection }: Link, { cwd, model, sandbox }: ThreadSettings) {
  const { config } = await connection.request("config/read", { cwd, includeLayers: false });
  return {
    model: model ?? config.model ?? undefined,
    sandbox: sandbox ?? config.sandbox_mode ?? "read-only",
  };
}

async function findThread(link: Link, name: string): Promise<string | undefined> {
  if (uuid.test(name)) return name;
  for await (const thread of threads(link, { searchTerm: name })) if (thread.name === name) return thread.id;
  return undefined;
}

async function lastThread(link: Link, cwd: string | undefined): Promise<string | undefined> {
  for await (const thread of threads(link, { cwd })) return thread.id;
  return undefined;
}

async function* threads({ connection }: Link, filter: { searchTerm?: string; cwd?: string | undefined }) {
  let cursor: string | null | undefined;
  do {
    const page = await connection.request("thread/list", {
      ...filter,
      cursor,
      limit: 100,
      sortKey: "updated_at",
      archived: false,
      sourceKinds: ["cli", "vscode", "exec", "appServer", "unknown"],
    });
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor);
}
