import type { FileChangeThreadItem } from "@quire/protocol";
import { askFileChange, judgeFileChange } from "../../approval/file-change.ts";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import { commitPatch } from "../../patch/commit-patch.ts";
import { describeChanges, summarize } from "../../patch/describe-changes.ts";
import { parsePatch } from "../../patch/parse-patch.ts";
import { PatchError } from "../../patch/patch.ts";
import {
  explainError,
  type FileState,
  type PatchPlace,
  type PlannedChange,
  planPatch,
} from "../../patch/plan-patch.ts";
import { TurnDiff } from "../../patch/turn-diff.ts";
import { Throttle } from "./throttle.ts";

/** A patch to apply. */
export interface PatchRequest {
  readonly callId: string;
  readonly patch: string;
  readonly cwd: string;
}

/** Applies the patches of a thread, one at a time, and knows what a turn has changed. */
export class Patcher {
  #last: Promise<unknown> = Promise.resolve();
  #turn: { readonly id: string; readonly diff: TurnDiff; readonly notices: Throttle } | undefined;

  /** The diff of a turn's patches; `undefined` when there were none. */
  turnDiff(turnId: string): string | undefined {
    return this.#turn?.id === turnId ? this.#turn.diff.text() : undefined;
  }

  /** Sends the diff of a turn's patches, if there were any; while patches follow each other, a few times a second. */
  sendDiff(turnId: string): void {
    if (this.#turn?.id === turnId) this.#turn.notices.ask();
  }

  /** Sends what still waits to be sent, for the turn ends. */
  finishDiff(turnId: string): void {
    if (this.#turn?.id === turnId) this.#turn.notices.finish();
  }

  /** Returns the output for the model. A patch that does not apply makes no item. */
  apply(request: PatchRequest, context: ToolContext): Promise<string> {
    // Two patches of one response may touch the same file.
    const run = this.#last.then(() => this.#apply(request, context));
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #apply({ callId, patch, cwd }: PatchRequest, context: ToolContext): Promise<string> {
    context.signal.throwIfAborted();
    const startedAt = performance.now();
    const place = { cwd, home: context.approvals.options.home };
    const changes = await plan(patch, place);
    const request = { callId, cwd, changes, patch };
    const verdict = judgeFileChange(request, context);
    const permit = verdict === "ask" ? context.permit : undefined;
    const permitted = await permit?.({ callId, name: "apply_patch", input: { command: patch } });
    if (permitted?.refusal !== undefined) throw new ToolFailure(`patch rejected: ${permitted.refusal}`);
    const item: FileChangeThreadItem = {
      type: "fileChange",
      id: callId,
      changes: describeChanges(changes),
      status: "inProgress",
      startedAtMs: Date.now(),
    };
    context.startItem(item);
    if (verdict === "ask" && permitted?.allows !== true) {
      const answer = await askFileChange(request, context);
      if (!answer.accepted) {
        context.completeItem({ ...item, status: answer.status });
        answer.afterwards?.();
        throw new ToolFailure(answer.output);
      }
    }
    try {
      if (verdict === "ask") refuseChanged(changes, await plan(patch, place));
      await commitPatch(changes);
    } catch (error) {
      const output = `Nothing was changed: ${explainError(error)}\n`;
      context.notify("item/fileChange/outputDelta", { itemId: callId, delta: output });
      context.completeItem({ ...item, status: "failed" });
      return result(1, startedAt, output);
    }
    const output = summarize(changes);
    // Codex stopped to send it; clients of its earlier versions show it.
    context.notify("item/fileChange/outputDelta", { itemId: callId, delta: output });
    context.completeItem({ ...item, status: "completed" });
    this.#turn = this.#turn?.id === context.turnId ? this.#turn : began(context);
    this.#turn.diff.add(changes);
    this.#turn.notices.ask();
    return result(0, startedAt, output);
  }
}

function began(context: ToolContext) {
  const diff = new TurnDiff(context.settings.cwd);
  const notices = new Throttle(() => context.notify("turn/diff/updated", { diff: diff.text() }));
  return { id: context.turnId, diff, notices };
}

async function plan(patch: string, place: PatchPlace): ReturnType<typeof planPatch> {
  try {
    const operations = parsePatch(patch);
    if (operations.length === 0) throw new ToolFailure("patch rejected: empty patch");
    return await planPatch(operations, place);
  } catch (error) {
    if (error instanceof PatchError) throw new ToolFailure(`apply_patch verification failed: ${error.message}`);
    throw error;
  }
}

/** Throws when the files have changed since the question, so that only what was shown is written. */
function refuseChanged(shown: readonly PlannedChange[], now: readonly PlannedChange[]): void {
  for (const [index, { files, before, replaced, path }] of shown.entries()) {
    const found = now[index];
    if (found?.files.join("\0") !== files.join("\0"))
      throw new Error(`${path} leads to another file than when the patch was approved; send the patch again`);
    if (!isSame(before, found.before) || !isSame(replaced, found.replaced))
      throw new Error(`${path} has changed since the patch was approved; read it and send the patch again`);
  }
}

function isSame(a: FileState | null, b: FileState | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.bytes.equals(b.bytes);
}

function result(code: number, startedAt: number, output: string): string {
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return `Exit code: ${code}\nWall time: ${seconds} seconds\nOutput:\n${output}`;
}
