/** A change that is offered for review: a pull request, or a merge request. */
export interface PullRequest {
  /** Number or name by which the forge knows it. */
  readonly id: string;
  readonly url: string | null;
}

/** The words and branches of a pull request. */
export interface PullText {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** The branch's commit. */
  readonly sha: string;
}

/** Something that the agent has to look at: a check that failed, or words of a reviewer who may write to the repository. */
export interface Feedback {
  /** The same for the same words or the same failure of the same commit. */
  readonly id: string;
  readonly text: string;
}

/** The state of a pull request now. */
export interface PullStatus {
  readonly state: "open" | "merged" | "closed";
  /** The commit that all of this is about. */
  readonly sha: string | null;
  /** `none`: nobody has reported any. */
  readonly checks: "none" | "pending" | "passed" | "failed";
  /** Of this commit, by people who may write to the repository. */
  readonly review: "none" | "approved" | "changes_requested";
  readonly feedback: readonly Feedback[];
}

/** Method by which a pull request becomes part of its base. */
export type MergeMethod = "merge" | "squash" | "rebase";

/** Order to merge a pull request. */
interface MergeOrder {
  /** The commit that was looked at: another one is not merged. */
  readonly sha: string;
  readonly method: MergeMethod;
  readonly text: PullText;
  /** Merges by git and pushes the base, for a forge that cannot do it itself. */
  land(): Promise<void>;
}

/** A credential for git: a header that goes to one host only. */
export interface GitCredential {
  /** Origin that it is for, such as `https://github.com`. */
  readonly origin: string;
  readonly header: string;
}

/** Options of a call to a forge. */
interface ForgeCall {
  readonly signal?: AbortSignal | undefined;
}

/** A place where changes are offered, checked, reviewed and merged. All errors are those of trackers. */
export interface Forge {
  readonly kind: string;
  /** Address that git pushes to; null where the workflow has to name it. */
  readonly remote: string | null;
  readonly credential: GitCredential | null;
  /** True if a change without any check is not a checked one: they are only late. */
  readonly hasChecks: boolean;
  /** Names of environment variables that hold its secrets, and the secrets: no child process gets them. */
  readonly secretEnvNames: readonly string[];
  readonly secrets: readonly string[];
  /** The open pull request of a branch of ours. */
  find(branch: string, call?: ForgeCall): Promise<PullRequest | null>;
  open(text: PullText, call?: ForgeCall): Promise<PullRequest>;
  edit(pull: PullRequest, text: PullText, call?: ForgeCall): Promise<void>;
  status(pull: PullRequest, call?: ForgeCall): Promise<PullStatus>;
  /** Merges; returns false where the forge refuses for now, such as for a conflict or a rule. */
  merge(pull: PullRequest, order: MergeOrder, call?: ForgeCall): Promise<boolean>;
}

/** Makes forges of one kind. Settings are checked; no request is made. Throws a `TrackerError`. */
export interface ForgeAdapter {
  /** Names of its settings in `deliver.provider`. */
  readonly settings: readonly string[];
  create(provider: Readonly<Record<string, unknown>>, context: ForgeContext): Forge;
}

/** Services that a forge may use besides its settings. */
interface ForgeContext {
  /** Folder of the workflow file. */
  readonly baseDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
