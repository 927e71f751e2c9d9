import type { ServerNotification, ThreadItem, TurnError, TurnPlanStep } from "@quire/protocol";
import { jsonText } from "../lib/json-text.ts";
import { type ExecItem, execItem, todoItem } from "./exec-item.ts";
import { type ExecOutput, type TurnEnd, withDetails } from "./output.ts";

/** `exec --json`: one event per line, with the names and fields of Codex's own. */
export class JsonOutput implements ExecOutput {
  readonly #print: (event: object) => void;
  /** Ids as printed, for items that have begun. */
  readonly #begun = new Map<string, string>();
  #nextId = 0;
  #todo: { readonly id: string; item: ExecItem } | undefined;
  #lastError: string | undefined;
  #hasStarted = false;

  constructor(print: (event: object) => void = (event) => void process.stdout.write(`${jsonText(event)}\n`)) {
    this.#print = print;
  }

  begin({ threadId }: { readonly threadId: string }): void {
    this.#print({ type: "thread.started", thread_id: threadId });
  }

  take({ method, params }: ServerNotification): void {
    switch (method) {
      case "turn/started":
        // A review announces its turn twice.
        if (!this.#hasStarted) this.#print({ type: "turn.started" });
        this.#hasStarted = true;
        return;
      case "item/started":
        this.#itemStarted(params.item);
        return;
      case "item/completed":
        this.#itemCompleted(params.item);
        return;
      case "turn/plan/updated":
        this.#planned(params.plan);
        return;
      case "error":
        this.#lastError = errorText(params.error);
        this.#print({ type: "error", message: this.#lastError });
        return;
      case "warning":
        this.#problem(params.message);
        return;
      case "configWarning":
      case "deprecationNotice":
        this.#problem(withDetails(params.summary, params.details));
        return;
      case "model/rerouted":
        this.#problem(`model rerouted: ${params.fromModel} -> ${params.toModel} (${pascal(params.reason)})`);
    }
  }

  end({ turn, usage }: TurnEnd): void {
    if (this.#todo) this.#print({ type: "item.completed", item: { id: this.#todo.id, ...this.#todo.item } });
    if (turn.status === "completed") {
      const total = usage?.total;
      const tokens = {
        input_tokens: total?.inputTokens ?? 0,
        cached_input_tokens: total?.cachedInputTokens ?? 0,
        cache_write_input_tokens: total?.cacheWriteInputTokens ?? 0,
        output_tokens: total?.outputTokens ?? 0,
        reasoning_output_tokens: total?.reasoningOutputTokens ?? 0,
      };
      this.#print({ type: "turn.completed", usage: tokens });
    } else if (turn.status === "failed") {
      const message = turn.error ? errorText(turn.error) : (this.#lastError ?? "turn failed");
      this.#print({ type: "turn.failed", error: { message } });
    }
  }

  #itemStarted(item: ThreadItem): void {
    // They are printed whole, once they are.
    if (item.type === "agentMessage" || item.type === "reasoning") return;
    const printed = execItem(item);
    if (!printed) return;
    const id = this.#begun.get(item.id) ?? this.#newId();
    this.#begun.set(item.id, id);
    this.#print({ type: "item.started", item: { id, ...printed } });
  }

  #itemCompleted(item: ThreadItem): void {
    const printed = execItem(item);
    if (!printed) return;
    const id = this.#begun.get(item.id) ?? this.#newId();
    this.#begun.delete(item.id);
    this.#print({ type: "item.completed", item: { id, ...printed } });
  }

  #planned(plan: readonly TurnPlanStep[]): void {
    const type = this.#todo ? "item.updated" : "item.started";
    this.#todo = { id: this.#todo?.id ?? this.#newId(), item: todoItem(plan) };
    this.#print({ type, item: { id: this.#todo.id, ...this.#todo.item } });
  }

  #problem(message: string): void {
    this.#print({ type: "item.completed", item: { id: this.#newId(), type: "error", message } });
  }

  #newId(): string {
    return `item_${this.#nextId++}`;
  }
}

function errorText({ message, additionalDetails }: TurnError): string {
  return withDetails(message, additionalDetails);
}

const pascal = (name: string): string => `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`;
