import type { FunctionCallOutputBody, ResponseItem, TurnError, TurnStatus } from "@quire/protocol";
import type { Reviewer } from "../approval/reviewer.ts";
import type { LayerWarning } from "../config/layer.ts";
import type { ModelResult } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { Tool, ToolGroup } from "../tools/tool.ts";
import type { ActiveTurn, PendingInput } from "./active-turn.ts";

/** Adds to what the model sees. */
export type Add = (items: readonly ResponseItem[]) => void;

/** The verdict on user input. */
export interface InputVerdict {
  readonly refused: boolean;
  readonly contexts: readonly ResponseItem[];
}

/** The verdict on a call before it runs. */
export interface CallVerdict {
  readonly call: ToolCall;
  /** The output in place of running it. */
  readonly refusal?: string | undefined;
}

/** A call that is about to be run. */
export interface CallAsked {
  readonly call: ToolCall;
  readonly add: Add;
}

/** A call with the output of its tool. */
export interface CallAnswered extends CallAsked {
  readonly output: FunctionCallOutputBody;
}

/** The model is about to stop. */
export interface StopAsked {
  /** True when a feature has continued this turn already. */
  readonly isAgain: boolean;
  readonly add: Add;
}

/** A permission about to be asked for. */
export interface AskedPermission {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
}

/** A verdict on a permission. */
export interface PermissionVerdict {
  readonly allows: boolean;
  readonly refusal: string | undefined;
}

/** A response of the model, and what it calls. */
export interface ModelAnswer {
  /** `undefined` when the response was cut for new input; an error when it failed. */
  readonly result: ModelResult | Error | undefined;
  readonly calls: readonly ToolCall[];
}

/** A response whose calls have been answered. */
export interface CallsAnswered extends ModelAnswer {
  /** With ids that are unique within the turn. */
  readonly calls: readonly ToolCall[];
  /** The outputs, in the order of the calls. */
  readonly outputs: readonly (FunctionCallOutputBody | undefined)[];
  /** Ids of the calls whose tool failed or does not exist. */
  readonly failed: ReadonlySet<string>;
  readonly add: Add;
}

/** The end of a turn. */
export interface TurnEnd {
  readonly status: Exclude<TurnStatus, "inProgress">;
  readonly error: TurnError | null;
  /** True when the model has written a message. */
  readonly answered: boolean;
  /** True when a feature continues the work with another turn. */
  readonly continues: boolean;
}

/** The request with which a client joined a thread. */
export type JoinedBy = "start" | "resume" | "fork";

/**
 * A feature of the server: its additions to threads and turns. It has no state; per-thread state is a service of the
 * thread. All parts are optional. Slow ones return a promise, or `undefined` when there is nothing to wait for.
 */
export interface Feature<Thread> {
  /** A thread was created or loaded. */
  open?(thread: Thread): void;
  /** A client has joined the thread, and has the reply. */
  joined?(thread: Thread, by: JoinedBy): void;
  /** Warnings about a thread's configuration, for clients that join it. */
  warnings?(thread: Thread): Promise<readonly LayerWarning[]> | undefined;
  /** The thread's configuration has changed. */
  reload?(thread: Thread): void;
  /** Turns were removed from the thread. */
  reverted?(thread: Thread): void;
  /** Tools without a namespace, after the server's own. */
  tools?(thread: Thread): readonly Tool[];
  /** Namespaces of tools. Called for each request, as tools come and go. */
  groups?(thread: Thread): readonly ToolGroup[];
  /** Decides approvals in the user's place, if the settings say so. */
  reviewer?(thread: Thread): Promise<Reviewer>;
  /** The time for the model; `undefined` for this machine's clock. */
  now?(thread: Thread): Date | undefined;

  /** A turn begins. `false` ends it at once. */
  begin?(thread: Thread, turn: ActiveTurn, add: Add): Promise<boolean> | undefined;
  input?(thread: Thread, turn: ActiveTurn, input: PendingInput): Promise<InputVerdict> | undefined;
  /** Adds notes for the model before it is asked. */
  notes?(thread: Thread, turn: ActiveTurn): Promise<readonly ResponseItem[]> | undefined;
  beforeModel?(thread: Thread, turn: ActiveTurn): Promise<void> | undefined;
  /** The model has answered or failed. */
  afterModel?(thread: Thread, turn: ActiveTurn, answer: ModelAnswer): Promise<void> | undefined;
  beforeCall?(thread: Thread, turn: ActiveTurn, asked: CallAsked): Promise<CallVerdict> | undefined;
  /** Returns the output for the model. */
  afterCall?(thread: Thread, turn: ActiveTurn, answered: CallAnswered): Promise<FunctionCallOutputBody> | undefined;
  /** Called before anybody is asked for a permission. */
  permission?(thread: Thread, turn: ActiveTurn, asked: AskedPermission): Promise<PermissionVerdict> | undefined;
  /** All calls of a response have been answered. An error ends the turn. */
  afterCalls?(thread: Thread, turn: ActiveTurn, answered: CallsAnswered): void;
  /** `false` forbids summarising the history. */
  beforeCompaction?(thread: Thread, turn: ActiveTurn): Promise<boolean> | undefined;
  afterCompaction?(thread: Thread, turn: ActiveTurn): Promise<void> | undefined;
  /** The model has nothing more to do. `true` asks it again, with the reason added. */
  stop?(thread: Thread, turn: ActiveTurn, asked: StopAsked): Promise<boolean> | undefined;
  interrupted?(thread: Thread, turn: ActiveTurn): Promise<void> | undefined;

  /** The end of a turn is stored; clients do not know yet. */
  ending?(thread: Thread, turn: ActiveTurn, end: TurnEnd): void;
  /** True when `next` is going to begin a turn that continues this one's work. Called once, after `ending`. */
  continues?(thread: Thread, end: TurnEnd): boolean;
  /** Called before clients hear of the end, but after the error of a failure. */
  end?(thread: Thread, turn: ActiveTurn, end: TurnEnd): void;
  /** The thread is idle: begins a turn on its own, or returns `false`. `end`: that of the turn just before. */
  next?(thread: Thread, end?: TurnEnd): boolean;

  /** The thread is closing; a running turn is interrupted next. */
  closing?(thread: Thread): Promise<void> | undefined;
  /** Nothing runs on the thread any more. */
  close?(thread: Thread): Promise<void> | undefined;
}
