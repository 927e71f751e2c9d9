import type { Requirements } from "../config/requirements.ts";
import { Grants } from "./grants.ts";
import type { Reviewer } from "./reviewer.ts";
import { RuleBook } from "./rules/rule-book.ts";

/** Options of a thread's approvals. */
export interface ApprovalOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The administrator's limits. */
  required?(): Pick<Requirements, "reviewers" | "rules"> | undefined;
  /** Called for rules that cannot be read. */
  warn(problem: string): void;
}

/** Decides for one thread when to ask. Needs no closing. */
export class Approvals {
  readonly options: ApprovalOptions;
  readonly rules: RuleBook;
  readonly grants: Grants = new Grants();
  /** Decides in the user's place, if the settings say so. */
  readonly guardian: (() => Promise<Reviewer>) | undefined;

  constructor(options: ApprovalOptions, guardian?: () => Promise<Reviewer>) {
    this.options = options;
    this.guardian = guardian;
    this.rules = new RuleBook(options.home, options.warn, () => options.required?.()?.rules ?? []);
  }
}
