import type { ThreadItem } from "@quire/protocol";
import type { TurnInput } from "../turn/turn-input.ts";

/** The turn that a hook or guardrail looks at. */
export interface TurnContext {
  readonly threadId: string;
  /** 1 for the first turn that was run with these hooks on this thread. */
  readonly turn: number;
  /** Aborted when the turn has ended or has to. */
  readonly signal: AbortSignal;
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

/** Functions of yours that are called while turns run. One that throws stops the turn, which rejects with its error. */
export interface TurnHooks<Context extends TurnContext = TurnContext> {
  /** Called before each turn. Return other input to send that instead. */
  readonly beforeTurn?: ((input: TurnInput, context: Context) => Maybe<TurnInput> | void | Promise<void>) | undefined;
  /** Called after each completed item, one after the other, while the turn goes on. */
  readonly afterItem?: ((item: ThreadItem, context: Context) => void | Promise<void>) | undefined;
}

/** A rule that may stop a turn. Each function returns the reason to stop, or nothing. */
export interface Guardrail<Context extends TurnContext = TurnContext> {
  readonly name: string;
  /** Looks at the input before a turn starts. */
  readonly input?: ((input: TurnInput, context: Context) => Maybe<string>) | undefined;
  /** Looks at each completed item: a message, a command with its output, a file change. */
  readonly item?: ((item: ThreadItem, context: Context) => Maybe<string>) | undefined;
}

/** Hooks and guardrails together. */
export interface TurnRules<Context extends TurnContext = TurnContext> extends TurnHooks<Context> {
  readonly guardrails?: readonly Guardrail<Context>[] | undefined;
}

/** A guardrail stopped a turn. */
export class GuardrailError extends Error {
  override readonly name: string = "GuardrailError";
  /** The guardrail's name. */
  readonly guardrail: string;
  /** The reason that it gave. */
  readonly reason: string;
  /** `input` when the turn was not started, `item` when it was interrupted. */
  readonly stage: "input" | "item";

  constructor(guardrail: string, reason: string, stage: "input" | "item") {
    super(`The guardrail "${guardrail}" stopped the turn: ${reason}`);
    this.guardrail = guardrail;
    this.reason = reason;
    this.stage = stage;
  }
}

/** The input to send: what `beforeTurn` made of it, once every guardrail has let it through. Throws where one did not. */
export async function checkInput<Context extends TurnContext>(
  input: TurnInput,
  rules: TurnRules<Context>,
  context: Context,
): Promise<TurnInput> {
  const changed = (await rules.beforeTurn?.(input, context)) ?? input;
  for (const { name, input: check } of rules.guardrails ?? []) {
    const reason = await check?.(changed, context);
    if (reason) throw new GuardrailError(name, reason, "input");
  }
  return changed;
}

/** Shows a completed item to the guardrails, then to `afterItem`. Throws where the turn must stop. */
export async function checkItem<Context extends TurnContext>(
  item: ThreadItem,
  rules: TurnRules<Context>,
  context: Context,
): Promise<void> {
  for (const { name, item: check } of rules.guardrails ?? []) {
    const reason = await check?.(item, context);
    if (reason) throw new GuardrailError(name, reason, "item");
  }
  await rules.afterItem?.(item, context);
}
