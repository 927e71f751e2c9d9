import { Grants } from "./grants.ts";
import type { Reviewer } from "./reviewer.ts";
import { RuleBook } from "./rules/rule-book.ts";

/** What the approvals of a thread depend on. */
export interface ApprovalOptions {
  /** The server's home, which holds the rules. */
  readonly home: string;
  /** The server's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears of rules that cannot be read. */
  warn(problem: string): void;
}

/** What decides, for one thread, over what is asked and what is not. Holds nothing that must be closed. */
export class Approvals {
  readonly options: ApprovalOptions;
  readonly rules: RuleBook;
  readonly grants: Grants = new Grants();
  /** Who decides in the user's place, where the settings say so. */
  readonly guardian: (() => Promise<Reviewer>) | undefined;

  constructor(options: ApprovalOptions, guardian?: () => Promise<Reviewer>) {
    this.options = options;
    this.guardian = guardian;
    this.rules = new RuleBook(options.home, options.warn);
  }
}
