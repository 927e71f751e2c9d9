import { quoteCommand } from "@quire/protocol/shell";
import { codexVersion } from "@quire/protocol/version";
import type { ReplyUsage } from "../mock/steps.ts";
import type { ScriptedFileChange } from "./turn-script.ts";

/** An item of a thread, in the shape of Codex 0.166. */
export interface Item {
  readonly type: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

export function userMessage(id: string, content: unknown): Item {
  return { type: "userMessage", id, clientId: null, content };
}

export function agentMessage(id: string, text: string): Item {
  return { type: "agentMessage", id, text, phase: null, memoryCitation: null };
}

/** A command, run by a shell as Codex runs every command of a model. */
export function commandItem({ script, ...fields }: { id: string; script: string; cwd: string; status: string }): Item {
  return {
    type: "commandExecution",
    ...fields,
    command: quoteCommand(["/bin/bash", "-lc", script]),
    processId: null,
    source: "unifiedExecStartup",
    commandActions: [{ type: "unknown", command: script }],
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  };
}

export function fileChangeItem(id: string, changes: readonly ScriptedFileChange[]): Item {
  const full = changes.map(({ path, kind = "update", diff = "" }) => ({
    path,
    kind: kind === "update" ? { type: kind, move_path: null } : { type: kind },
    diff,
  }));
  return { type: "fileChange", id, changes: full, status: "inProgress" };
}

/** Params of an approval request for an item. */
export function approvalParams(item: Item): Record<string, unknown> {
  const common = { itemId: item.id, startedAtMs: Date.now(), reason: null };
  if (item.type !== "commandExecution") return { ...common, grantRoot: null };
  const { command, cwd, commandActions } = item;
  return { kind: "command", ...common, command, cwd, commandActions, availableDecisions: ["accept", "cancel"] };
}

/** Usage after the given number of equal model responses. */
export function tokenUsage(usage: ReplyUsage, responses: number): Record<string, unknown> {
  const { input = 100, cachedInput = 0, output = 10, reasoning = 0 } = usage;
  const times = (factor: number) => ({
    totalTokens: (input + output) * factor,
    inputTokens: input * factor,
    cachedInputTokens: cachedInput * factor,
    outputTokens: output * factor,
    reasoningOutputTokens: reasoning * factor,
  });
  return { total: times(responses), last: times(1), modelContextWindow: 258_400 };
}

/** A thread that has just been started, and the rest of the reply of `thread/start`. */
export function threadReply(
  id: string,
  cwd: string,
): { readonly thread: Record<string, unknown> } & Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const thread = {
    id,
    sessionId: id,
    forkedFromId: null,
    parentThreadId: null,
    preview: "",
    ephemeral: false,
    modelProvider: "scripted",
    model: "scripted-model",
    createdAt: now,
    updatedAt: now,
    status: { type: "idle" },
    path: null,
    cwd,
    cliVersion: codexVersion,
    source: "vscode",
    gitInfo: null,
    name: null,
    turns: [],
  };
  return {
    thread,
    model: "scripted-model",
    modelProvider: "scripted",
    serviceTier: null,
    cwd,
    approvalPolicy: "on-request",
    approvalsReviewer: "user",
    sandbox: { type: "dangerFullAccess" },
    reasoningEffort: null,
  };
}
