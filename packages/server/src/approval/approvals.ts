import { Grants } from "./grants.ts";
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

  constructor(options: ApprovalOptions) {
    this.options = options;
    this.rules = new RuleBook(options.home, options.warn);
  }
}
