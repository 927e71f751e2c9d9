import type { FunctionCallOutputBody, ResponseItem, TurnError, TurnStatus } from "@quire/protocol";
import type { Reviewer } from "../approval/reviewer.ts";
import type { ModelResult } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { Tool, ToolGroup } from "../tools/tool.ts";
import type { ActiveTurn, PendingInput } from "./active-turn.ts";

/** Adds to what the model sees. */
export type Add = (items: readonly ResponseItem[]) => void;

/** What came of user input. */
export interface InputVerdict {
  /** Whether the model shall not hear it. */
  readonly refused: boolean;
  /** What the model is told besides. */
  readonly contexts: readonly ResponseItem[];
}

/** What came of a call before it was run. */
export interface CallVerdict {
  /** The call as it shall be run. */
  readonly call: ToolCall;
  /** What the model is told in place of running it. */
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
  /** Set where a feature has had the model go on in this turn already. */
  readonly isAgain: boolean;
  readonly add: Add;
}

/** A permission that somebody would be asked for. */
export interface AskedPermission {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
}

/** What is said of a permission. */
export interface PermissionVerdict {
  readonly allows: boolean;
  readonly refusal: string | undefined;
}

/** A response of the model, and what it calls. */
export interface ModelAnswer {
  /** `undefined` where the response was cut short for new input; an error where it failed. */
  readonly result: ModelResult | Error | undefined;
  readonly calls: readonly ToolCall[];
}

/** How a turn has ended. */
export interface TurnEnd {
  readonly status: Exclude<TurnStatus, "inProgress">;
  readonly error: TurnError | null;
  /** Whether the model has said something. */
  readonly answered: boolean;
}

/**
 * A feature of the server: what it adds to threads and their turns. It keeps nothing itself; what belongs to a thread is a
 * service of the thread. All parts are optional. Those that may take time return a promise, or `undefined` where there is
 * nothing to wait for.
 */
export interface Feature<Thread> {
  /** A thread was created or loaded. */
  open?(thread: Thread): void;
  /** Tools without a namespace, after the server's own. */
  tools?(thread: Thread): readonly Tool[];
  /** Namespaces of tools. Called for each request, as tools come and go. */
  groups?(thread: Thread): readonly ToolGroup[];
  /** Decides over approvals in the user's place, where the settings say so. */
  reviewer?(thread: Thread): Promise<Reviewer>;
  /** The time that the model is told; `undefined` where this machine's clock counts. */
  now?(thread: Thread): Date | undefined;

  /** A turn begins. `false` ends it at once. */
  begin?(thread: Thread, turn: ActiveTurn, add: Add): Promise<boolean> | undefined;
  /** A user has said something. */
  input?(thread: Thread, turn: ActiveTurn, input: PendingInput): Promise<InputVerdict> | undefined;
  /** Adds notes for the model before it is asked. */
  notes?(thread: Thread, turn: ActiveTurn): Promise<readonly ResponseItem[]> | undefined;
  /** The model is about to be asked. */
  beforeModel?(thread: Thread, turn: ActiveTurn): Promise<void> | undefined;
  /** The model has answered, or failed to. */
  afterModel?(thread: Thread, turn: ActiveTurn, answer: ModelAnswer): Promise<void> | undefined;
  /** A tool is about to be called. */
  beforeCall?(thread: Thread, turn: ActiveTurn, asked: CallAsked): Promise<CallVerdict> | undefined;
  /** A tool has answered. Returns the output for the model. */
  afterCall?(thread: Thread, turn: ActiveTurn, answered: CallAnswered): Promise<FunctionCallOutputBody> | undefined;
  /** Somebody would be asked for a permission. */
  permission?(thread: Thread, turn: ActiveTurn, asked: AskedPermission): Promise<PermissionVerdict> | undefined;
  /** All calls of a response have been answered. */
  afterCalls?(thread: Thread, turn: ActiveTurn, answer: ModelAnswer): void;
  /** The history is about to be summarised. `false` forbids it. */
  beforeCompaction?(thread: Thread, turn: ActiveTurn): Promise<boolean> | undefined;
  afterCompaction?(thread: Thread, turn: ActiveTurn): Promise<void> | undefined;
  /** The model has nothing more to do. `true` asks it again; the reason was added for it. */
  stop?(thread: Thread, turn: ActiveTurn, asked: StopAsked): Promise<boolean> | undefined;
  interrupted?(thread: Thread, turn: ActiveTurn): Promise<void> | undefined;

  /** A turn has ended and is stored; clients do not know yet. */
  ending?(thread: Thread, turn: ActiveTurn, end: TurnEnd): void;
  /** Clients are about to hear of the end; where it is a failure, they have heard why. */
  end?(thread: Thread, turn: ActiveTurn, end: TurnEnd): void;
  /** Clients have heard of the end: another turn may begin. */
  ended?(thread: Thread, turn: ActiveTurn, end: TurnEnd): void;

  /** The thread is being closed; its turn, if one runs, is interrupted next. */
  closing?(thread: Thread): Promise<void> | undefined;
  /** Nothing runs on the thread any more. */
  close?(thread: Thread): Promise<void> | undefined;
}
