import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import type { Reviewer } from "../approval/reviewer.ts";
import type { LayerWarning } from "../config/layer.ts";
import type { Log } from "../lib/log.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { Tool, ToolGroup } from "../tools/tool.ts";
import type { ActiveTurn, PendingInput } from "./active-turn.ts";
import type {
  Add,
  AskedPermission,
  CallAnswered,
  CallAsked,
  CallsAnswered,
  CallVerdict,
  Feature,
  InputVerdict,
  JoinedBy,
  ModelAnswer,
  PermissionVerdict,
  StopAsked,
  TurnEnd,
} from "./feature.ts";

/** The features that have a part, in order. */
type With<Thread, Point extends keyof Feature<Thread>> = Feature<Thread> & Required<Pick<Feature<Thread>, Point>>;

/** For each part the features that have it, so that a turn does not go through all of them at each point. */
export class FeatureSet<Thread> {
  readonly #all: readonly Feature<Thread>[];
  readonly #having = new Map<keyof Feature<Thread>, readonly Feature<Thread>[]>();

  constructor(all: readonly Feature<Thread>[]) {
    this.#all = all;
  }

  having<Point extends keyof Feature<Thread>>(point: Point): readonly With<Thread, Point>[] {
    let found = this.#having.get(point);
    if (!found) {
      found = this.#all.filter((each) => each[point] !== undefined);
      this.#having.set(point, found);
    }
    return found as readonly With<Thread, Point>[];
  }
}

/** All features of a thread, called in order. */
export class Features<Thread> {
  readonly #set: FeatureSet<Thread>;
  readonly #thread: Thread;
  readonly #log: Log;

  constructor(set: FeatureSet<Thread>, thread: Thread, log: Log) {
    this.#set = set;
    this.#thread = thread;
    this.#log = log;
  }

  open(): void {
    for (const each of this.#set.having("open")) each.open(this.#thread);
  }

  joined(by: JoinedBy): void {
    for (const each of this.#set.having("joined")) each.joined(this.#thread, by);
  }

  /** `undefined` when there is nothing to wait for. */
  warnings(): Promise<readonly LayerWarning[]> | undefined {
    const all = this.#set.having("warnings").flatMap((each) => each.warnings(this.#thread) ?? []);
    return all.length === 0 ? undefined : Promise.all(all).then((found) => found.flat());
  }

  reload(): void {
    for (const each of this.#set.having("reload")) each.reload(this.#thread);
  }

  reverted(): void {
    for (const each of this.#set.having("reverted")) each.reverted(this.#thread);
  }

  get tools(): readonly Tool[] {
    return this.#set.having("tools").flatMap((each) => each.tools(this.#thread));
  }

  groups(): readonly ToolGroup[] {
    const groups: ToolGroup[] = [];
    for (const each of this.#set.having("groups")) groups.push(...each.groups(this.#thread));
    return groups;
  }

  /** The first reviewer in the user's place. */
  get reviewer(): (() => Promise<Reviewer>) | undefined {
    const found = this.#set.having("reviewer")[0];
    return found && (() => found.reviewer(this.#thread));
  }

  now(): Date | undefined {
    for (const each of this.#set.having("now")) {
      const time = each.now(this.#thread);
      if (time) return time;
    }
    return undefined;
  }

  /** False when one of them ends the turn at once. */
  async begin(turn: ActiveTurn, add: Add): Promise<boolean> {
    for (const each of this.#set.having("begin")) {
      const may = each.begin(this.#thread, turn, add);
      if (may && !(await may)) return false;
    }
    return true;
  }

  /** `undefined` when no feature has a verdict. */
  async input(turn: ActiveTurn, input: PendingInput): Promise<InputVerdict | undefined> {
    let verdict: InputVerdict | undefined;
    for (const each of this.#set.having("input")) {
      const said = await each.input(this.#thread, turn, input);
      if (!said) continue;
      const contexts = [...(verdict?.contexts ?? []), ...said.contexts];
      verdict = { refused: said.refused || verdict?.refused === true, contexts };
    }
    return verdict;
  }

  async notes(turn: ActiveTurn, add: Add): Promise<void> {
    for (const each of this.#set.having("notes")) {
      const notes = each.notes(this.#thread, turn);
      if (notes) add(await notes);
    }
  }

  async beforeModel(turn: ActiveTurn): Promise<void> {
    for (const each of this.#set.having("beforeModel")) {
      const done = each.beforeModel(this.#thread, turn);
      if (done) await done;
    }
  }

  async afterModel(turn: ActiveTurn, answer: ModelAnswer): Promise<void> {
    for (const each of this.#set.having("afterModel")) {
      const done = each.afterModel(this.#thread, turn, answer);
      if (done) await done;
    }
  }

  async beforeCall(turn: ActiveTurn, { call: given, add }: CallAsked): Promise<CallVerdict> {
    let call: ToolCall = given;
    for (const each of this.#set.having("beforeCall")) {
      const verdict = await each.beforeCall(this.#thread, turn, { call, add });
      if (verdict?.refusal !== undefined) return verdict;
      call = verdict?.call ?? call;
    }
    return { call };
  }

  async afterCall(turn: ActiveTurn, { output: given, ...asked }: CallAnswered): Promise<FunctionCallOutputBody> {
    let output = given;
    for (const each of this.#set.having("afterCall"))
      output = (await each.afterCall(this.#thread, turn, { ...asked, output })) ?? output;
    return output;
  }

  /** The first verdict. */
  async permission(turn: ActiveTurn, asked: AskedPermission): Promise<PermissionVerdict | undefined> {
    for (const each of this.#set.having("permission")) {
      const verdict = await each.permission(this.#thread, turn, asked);
      if (verdict) return verdict;
    }
    return undefined;
  }

  afterCalls(turn: ActiveTurn, answered: CallsAnswered): void {
    for (const each of this.#set.having("afterCalls")) each.afterCalls(this.#thread, turn, answered);
  }

  async beforeCompaction(turn: ActiveTurn): Promise<boolean> {
    for (const each of this.#set.having("beforeCompaction"))
      if ((await each.beforeCompaction(this.#thread, turn)) === false) return false;
    return true;
  }

  async afterCompaction(turn: ActiveTurn): Promise<void> {
    for (const each of this.#set.having("afterCompaction")) await each.afterCompaction(this.#thread, turn);
  }

  /** True when the model shall continue. */
  async stop(turn: ActiveTurn, asked: StopAsked): Promise<boolean> {
    let continues = false;
    for (const each of this.#set.having("stop")) {
      const wanted = each.stop(this.#thread, turn, asked);
      if (wanted && (await wanted)) continues = true;
    }
    return continues;
  }

  async interrupted(turn: ActiveTurn): Promise<void> {
    for (const each of this.#set.having("interrupted")) await each.interrupted(this.#thread, turn);
  }

  /** @param point A stage of the end. A feature that cannot store its state must not keep the turn from ending. */
  atEnd(point: "ending" | "end", turn: ActiveTurn, end: TurnEnd): void {
    for (const each of this.#set.having(point)) {
      try {
        each[point]?.(this.#thread, turn, end);
      } catch (error) {
        this.#log.error("a feature failed at the end of a turn", error);
      }
    }
  }

  continues(end: TurnEnd): boolean {
    try {
      return this.#set.having("continues").some((each) => each.continues(this.#thread, end));
    } catch (error) {
      this.#log.error("a feature failed at the end of a turn", error);
      return false;
    }
  }

  /** Begins the turn of the first feature that has one. Another process may be writing: then the work keeps waiting. */
  next(threadId: string, end?: TurnEnd): void {
    try {
      this.#set.having("next").some((each) => each.next(this.#thread, end));
    } catch (error) {
      this.#log.warn(`thread ${threadId} could not continue automatically`, error);
    }
  }

  async closing(): Promise<void> {
    for (const each of this.#set.having("closing")) await each.closing(this.#thread);
  }

  /** In reverse order: later features may use earlier ones. */
  async close(): Promise<void> {
    for (const each of this.#set.having("close").toReversed()) await each.close(this.#thread);
  }
}

/** Adds to a list of items. */
export const addTo =
  (list: ResponseItem[]): Add =>
  (items) =>
    void list.push(...items);
