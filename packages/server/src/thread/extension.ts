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
 * What a feature adds to a thread and its turns. All parts are optional. Those that may take time give a promise, or
 * `undefined` where there is nothing to wait for.
 */
export interface ThreadExtension {
  /** Tools without a namespace, after the server's own. */
  readonly tools?: readonly Tool[];
  /** Namespaces of tools. Asked anew for each request, as tools come and go. */
  groups?(): readonly ToolGroup[];
  /** Who decides over approvals in the user's place, where the settings say so. */
  reviewer?(): Promise<Reviewer>;
  /** The time that the model is told; `undefined` where this machine's clock counts. */
  now?(): Date | undefined;

  /** A turn begins. `false` ends it at once. */
  begin?(turn: ActiveTurn, add: Add): Promise<boolean> | undefined;
  /** A user has said something. */
  input?(turn: ActiveTurn, input: PendingInput): Promise<InputVerdict> | undefined;
  /** What the model is to be told before it is asked. */
  notes?(turn: ActiveTurn): Promise<readonly ResponseItem[]> | undefined;
  /** The model is about to be asked. */
  beforeModel?(turn: ActiveTurn): Promise<void> | undefined;
  /** The model has answered, or failed to. */
  afterModel?(turn: ActiveTurn, answer: ModelAnswer): Promise<void> | undefined;
  /** A tool is about to be called. */
  beforeCall?(turn: ActiveTurn, call: ToolCall, add: Add): Promise<CallVerdict> | undefined;
  /** A tool has answered. Gives what the model is told. */
  afterCall?(
    turn: ActiveTurn,
    answered: { readonly call: ToolCall; readonly output: FunctionCallOutputBody },
    add: Add,
  ): Promise<FunctionCallOutputBody> | undefined;
  /** Somebody would be asked for a permission. */
  permission?(turn: ActiveTurn, asked: AskedPermission): Promise<PermissionVerdict> | undefined;
  /** All calls of a response have been answered. */
  afterCalls?(turn: ActiveTurn, answer: ModelAnswer): void;
  /** The history is about to be summarised. `false` forbids it. */
  beforeCompaction?(turn: ActiveTurn): Promise<boolean> | undefined;
  afterCompaction?(turn: ActiveTurn): Promise<void> | undefined;
  /** The model has nothing more to do. Whether it shall go on all the same; it has been told why then. */
  stop?(turn: ActiveTurn, isAgain: boolean, add: Add): Promise<boolean> | undefined;
  interrupted?(turn: ActiveTurn): Promise<void> | undefined;

  /** A turn has ended and is stored; nobody has been told. */
  ending?(turn: ActiveTurn, end: TurnEnd): void;
  /** Clients are about to hear of the end; where it is a failure, they have heard why. */
  end?(turn: ActiveTurn, end: TurnEnd): void;
  /** Clients have heard of the end: another turn may begin. */
  ended?(turn: ActiveTurn, end: TurnEnd): void;

  /** The thread is being closed; its turn, if one runs, is interrupted next. */
  closing?(): Promise<void> | undefined;
  /** Nothing runs on the thread any more. */
  close?(): Promise<void> | undefined;
}
