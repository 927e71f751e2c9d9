import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import type { Log } from "../lib/log.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { Tool, ToolGroup } from "../tools/tool.ts";
import type { ActiveTurn, PendingInput } from "./active-turn.ts";
import type {
  Add,
  AskedPermission,
  CallVerdict,
  InputVerdict,
  ModelAnswer,
  PermissionVerdict,
  ThreadExtension,
  TurnEnd,
} from "./extension.ts";

/** All extensions of a thread, asked one after the other in the order in which the features are listed. */
export class Extensions {
  readonly #all: readonly ThreadExtension[];
  readonly #log: Log;

  constructor(all: readonly ThreadExtension[], log: Log) {
    this.#all = all;
    this.#log = log;
  }

  get tools(): readonly Tool[] {
    return this.#all.flatMap(({ tools }) => tools ?? []);
  }

  groups(): readonly ToolGroup[] {
    return this.#all.flatMap((each) => each.groups?.() ?? []);
  }

  /** The first extension that decides in the user's place. */
  get reviewer(): ThreadExtension["reviewer"] {
    const found = this.#all.find(({ reviewer }) => reviewer !== undefined);
    return found && (() => found.reviewer?.() as ReturnType<NonNullable<ThreadExtension["reviewer"]>>);
  }

  now(): Date | undefined {
    for (const each of this.#all) {
      const time = each.now?.();
      if (time) return time;
    }
    return undefined;
  }

  /** False where one of them ends the turn at once. */
  async begin(turn: ActiveTurn, add: Add): Promise<boolean> {
    for (const each of this.#all) if ((await each.begin?.(turn, add)) === false) return false;
    return true;
  }

  /** `undefined` where nobody has anything to say. */
  async input(turn: ActiveTurn, input: PendingInput): Promise<InputVerdict | undefined> {
    let verdict: InputVerdict | undefined;
    for (const each of this.#all) {
      const said = await each.input?.(turn, input);
      if (!said) continue;
      const contexts = [...(verdict?.contexts ?? []), ...said.contexts];
      verdict = { refused: said.refused || verdict?.refused === true, contexts };
    }
    return verdict;
  }

  async notes(turn: ActiveTurn, add: Add): Promise<void> {
    for (const each of this.#all) {
      const notes = each.notes?.(turn);
      if (notes) add(await notes);
    }
  }

  async beforeModel(turn: ActiveTurn): Promise<void> {
    for (const each of this.#all) await each.beforeModel?.(turn);
  }

  async afterModel(turn: ActiveTurn, answer: ModelAnswer): Promise<void> {
    for (const each of this.#all) await each.afterModel?.(turn, answer);
  }

  async beforeCall(turn: ActiveTurn, given: ToolCall, add: Add): Promise<CallVerdict> {
    let call = given;
    for (const each of this.#all) {
      const verdict = await each.beforeCall?.(turn, call, add);
      if (verdict?.refusal !== undefined) return verdict;
      call = verdict?.call ?? call;
    }
    return { call };
  }

  async afterCall(
    turn: ActiveTurn,
    { call, output }: { readonly call: ToolCall; readonly output: FunctionCallOutputBody },
    add: Add,
  ): Promise<FunctionCallOutputBody> {
    let result = output;
    for (const each of this.#all) result = (await each.afterCall?.(turn, { call, output: result }, add)) ?? result;
    return result;
  }

  /** The first that has an opinion. */
  async permission(turn: ActiveTurn, asked: AskedPermission): Promise<PermissionVerdict | undefined> {
    for (const each of this.#all) {
      const verdict = await each.permission?.(turn, asked);
      if (verdict) return verdict;
    }
    return undefined;
  }

  afterCalls(turn: ActiveTurn, answer: ModelAnswer): void {
    for (const each of this.#all) each.afterCalls?.(turn, answer);
  }

  async beforeCompaction(turn: ActiveTurn): Promise<boolean> {
    for (const each of this.#all) if ((await each.beforeCompaction?.(turn)) === false) return false;
    return true;
  }

  async afterCompaction(turn: ActiveTurn): Promise<void> {
    for (const each of this.#all) await each.afterCompaction?.(turn);
  }

  /** Whether the model shall go on. */
  async stop(turn: ActiveTurn, isAgain: boolean, add: Add): Promise<boolean> {
    let goesOn = false;
    for (const each of this.#all) if (await each.stop?.(turn, isAgain, add)) goesOn = true;
    return goesOn;
  }

  async interrupted(turn: ActiveTurn): Promise<void> {
    for (const each of this.#all) await each.interrupted?.(turn);
  }

  ending(turn: ActiveTurn, end: TurnEnd): void {
    for (const each of this.#all) this.#safely(() => each.ending?.(turn, end));
  }

  end(turn: ActiveTurn, end: TurnEnd): void {
    for (const each of this.#all) this.#safely(() => each.end?.(turn, end));
  }

  ended(turn: ActiveTurn, end: TurnEnd): void {
    for (const each of this.#all) this.#safely(() => each.ended?.(turn, end));
  }

  async closing(): Promise<void> {
    for (const each of this.#all) await each.closing?.();
  }

  /** In the opposite order: what comes later in the list may use what comes before. */
  async close(): Promise<void> {
    for (const each of this.#all.toReversed()) await each.close?.();
  }

  /** A turn ends all the same where a feature cannot store what it keeps. */
  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error("a feature failed at the end of a turn", error);
    }
  }
}

/** Adds to a list of items. */
export const addTo =
  (list: ResponseItem[]): Add =>
  (items) =>
    void list.push(...items);
