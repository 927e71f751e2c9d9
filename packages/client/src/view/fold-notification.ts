import type { ServerNotifications } from "@quire/protocol";
import type { ThreadModel } from "./thread-model.ts";

type Folds = {
  readonly [M in keyof ServerNotifications]?: (model: ThreadModel, params: ServerNotifications[M]) => void;
};

/** Each notification that changes a thread's content. Those that change only its summary are not here. */
const folds: Folds = {
  "turn/started": (model, { turn }) => {
    // Some servers run a review as a turn within the turn that asked for it, and never tell of its end.
    if (model.joinRoot(turn.id, turn.rootTurnId)) return;
    if (!model.has(turn.id)) model.turn(turn.id).witnessed = true;
    model.describeTurn(turn);
    model.claimNotices(model.turn(turn.id));
  },
  "turn/completed": (model, { turn: ended }) => {
    if (model.rootOf(ended.id) !== ended.id) return;
    const turn = model.turn(ended.id);
    model.describeTurn(ended);
    for (const item of ended.items) if (!turn.keys.has(item.id)) model.putItem(turn, item, { done: true });
    for (const key of turn.itemIds) settle(model, ended.id, key);
  },
  "item/started": (model, { turnId, item, startedAtMs }) => {
    const turn = model.turn(turnId);
    const key = turn.keys.get(item.id);
    // A replayed beginning must not undo the end.
    if (key === undefined || model.item(key)?.done === false) model.putItem(turn, item, { done: false, startedAtMs });
  },
  "item/completed": (model, { turnId, item, completedAtMs }) => {
    model.putItem(model.turn(turnId), item, { done: true, completedAtMs });
  },
  "item/agentMessage/delta": (model, { delta, ...target }) => model.appendDelta(target, "text", delta),
  "item/plan/delta": (model, { delta, ...target }) => model.appendDelta(target, "text", delta),
  "item/commandExecution/outputDelta": (model, { delta, ...target }) => model.appendDelta(target, "output", delta),
  "item/reasoning/summaryTextDelta": (model, { delta, summaryIndex, ...target }) =>
    model.appendDelta(target, `summary:${summaryIndex}`, delta),
  "item/reasoning/summaryPartAdded": (model, { summaryIndex, ...target }) =>
    model.appendDelta(target, `summary:${summaryIndex}`, ""),
  "item/reasoning/textDelta": (model, { delta, contentIndex, ...target }) =>
    model.appendDelta(target, `content:${contentIndex}`, delta),
  "item/fileChange/patchUpdated": (model, { turnId, itemId, changes }) =>
    model.updateItem(turnId, itemId, (state) =>
      state.item.type === "fileChange" ? { ...state, item: { ...state.item, changes } } : state,
    ),
  "item/mcpToolCall/progress": (model, { turnId, itemId, message }) =>
    model.updateItem(turnId, itemId, (state) => ({ ...state, progress: message })),
  "turn/diff/updated": (model, { turnId, diff }) => model.updateTurn(turnId, (turn) => turn.setDiff(diff)),
  "turn/plan/updated": (model, { turnId, plan, explanation }) =>
    model.updateTurn(turnId, (turn) => turn.setPlan({ explanation: explanation ?? null, steps: plan })),
  "hook/started": (model, { turnId, run }) => model.setHook(turnId ?? null, run),
  "hook/completed": (model, { turnId, run }) => model.setHook(turnId ?? null, run),
  "thread/tokenUsage/updated": (model, { turnId, tokenUsage }) => model.setUsage(turnId, tokenUsage),
  "thread/settings/updated": (model, { threadSettings }) => model.setSettings(threadSettings),
  error: (model, { turnId, error, willRetry }) => {
    // The error that ends a turn comes with the turn's end.
    if (!willRetry) return;
    model.dropUnfinishedSpeech(turnId);
    const details = error.additionalDetails ?? null;
    model.notice(turnId, { level: "warning", text: error.message, details });
  },
  warning: (model, { message }) => model.warn(message),
  guardianWarning: (model, { message }) => model.warn(message),
  "model/rerouted": (model, { turnId, fromModel, toModel, reason }) =>
    model.notice(turnId, {
      level: "info",
      text: `The server uses ${toModel} instead of ${fromModel}`,
      details: typeof reason === "string" ? reason : null,
    }),
  "item/autoApprovalReview/completed": (model, { turnId, review, action }) => {
    const { status, riskLevel, rationale } = review;
    const text = verdicts.get(status) ?? `The automatic reviewer says: ${status}`;
    const risk = riskLevel == null ? "" : `, ${riskLevel} risk`;
    const details = [wordsOf(action), rationale].filter((part) => part != null && part !== "").join("\n");
    const level = status === "approved" ? "info" : "warning";
    model.notice(turnId, { level, text: `${text}${risk}`, details: details === "" ? null : details });
  },
  "thread/compacted": (model, { turnId }) => {
    const turn = model.turn(turnId);
    const shown = turn.itemIds.some((key) => model.item(key)?.item.type === "contextCompaction");
    // Newer servers send an item for it.
    if (!shown) model.notice(turnId, { level: "info", text: "The history was shortened", details: null });
  },
};

/** Verdicts of a server's own reviewer in words. */
const verdicts: ReadonlyMap<string, string> = new Map([
  ["approved", "The automatic reviewer approved"],
  ["denied", "The automatic reviewer declined"],
  ["timedOut", "The automatic reviewer took too long, so this was declined"],
  ["aborted", "The automatic review was stopped"],
]);

/** The subject of a review; empty for a kind that has no short form. */
function wordsOf(action: unknown): string {
  const { command, cwd, host, files } = (action ?? {}) as Record<string, unknown>;
  if (typeof command === "string") return command;
  if (Array.isArray(command)) return command.map(String).join(" ");
  if (Array.isArray(files)) return files.map(String).join(", ");
  return typeof host === "string" ? host : typeof cwd === "string" ? cwd : "";
}

/** The notifications that {@link foldNotification} folds. */
export const contentMethods: readonly string[] = Object.keys(folds);

/** Folds a notification about a thread into its content; false for one that does not change it. */
export function foldNotification(model: ThreadModel, method: string, params: unknown): boolean {
  const known = Object.hasOwn(folds, method) ? folds[method as keyof Folds] : undefined;
  const fold = known as ((model: ThreadModel, params: unknown) => void) | undefined;
  fold?.(model, inRoot(model, params));
  return fold !== undefined;
}

/** The same with the turn that shows it. */
function inRoot(model: ThreadModel, params: unknown): unknown {
  const { turnId } = (params ?? {}) as { readonly turnId?: unknown };
  if (typeof turnId !== "string" || model.rootOf(turnId) === turnId) return params;
  return { ...(params as object), turnId: model.rootOf(turnId) };
}

/** Marks an item as done that its turn left unfinished. */
function settle(model: ThreadModel, turnId: string, key: string): void {
  const state = model.item(key);
  if (state === undefined || state.done) return;
  model.updateItem(turnId, state.item.id, (before) => ({ ...before, done: true }));
}
