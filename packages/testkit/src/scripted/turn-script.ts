import type { ReplyUsage } from "../mock/steps.ts";

/** A file change within a {@link TurnStep}. */
export interface ScriptedFileChange {
  readonly path: string;
  readonly kind?: "add" | "delete" | "update";
  readonly diff?: string;
}

/** A step of a scripted turn. */
export type TurnStep =
  /** The agent says something, in so many deltas. */
  | { readonly type: "message"; readonly text: string; readonly chunks?: number }
  | { readonly type: "reasoning"; readonly summary: readonly string[] }
  /** A command, which the items show in its shell: `/bin/bash -lc ls`. With `approval` the client is asked first; if it says no, the command is `declined`. */
  | {
      readonly type: "command";
      readonly command: string;
      readonly output?: string;
      readonly exitCode?: number;
      readonly approval?: boolean;
    }
  /** A patch, likewise. */
  | { readonly type: "fileChange"; readonly changes: readonly ScriptedFileChange[]; readonly approval?: boolean }
  /** Any other item: started and completed as given, `id` included. */
  | { readonly type: "item"; readonly item: Readonly<Record<string, unknown>> }
  /** Any other server request; `threadId` and `turnId` are added to the params. The turn waits for the answer. */
  | { readonly type: "request"; readonly method: string; readonly params?: Readonly<Record<string, unknown>> }
  /** Any other notification; `threadId` and `turnId` are added to the params. */
  | { readonly type: "notify"; readonly method: string; readonly params?: Readonly<Record<string, unknown>> }
  /** Holds the turn, e.g. at a `gate()`, until the promise settles or the turn is interrupted. */
  | { readonly type: "wait"; readonly until: PromiseLike<unknown> };

/** A turn from its beginning to its end. */
export interface TurnScript {
  /** Steps before the final message. */
  readonly items?: readonly TurnStep[];
  /** The final message. Left out, the turn ends without one. */
  readonly text?: string;
  /** Number of deltas of the final message. */
  readonly chunks?: number;
  /** Tokens of each model response. */
  readonly usage?: ReplyUsage;
  /** Lets the turn fail after its items, with this message and error info. */
  readonly error?: { readonly message: string; readonly codexErrorInfo?: unknown };
}
