import type { Tool } from "@quire/client";
import type { AdapterProfile } from "./adapter-profile.ts";
import type { Issue } from "./issue.ts";

/** Options of a call to a tracker. */
export interface TrackerCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** The run that tools are made for. It does not change while the tools live. */
export interface ToolSession {
  readonly issue: Issue;
  /** Absolute path of the run's workspace. */
  readonly workspace: string;
  /** To be called when a tool has changed the issue: a turn that hands its issue over is not cut off. */
  readonly changed?: (() => void) | undefined;
}

/** Changes of issues that the orchestrator itself makes, where the workflow says so. */
export interface IssueWriter {
  setState(issue: Issue, state: string, call?: TrackerCall): Promise<void>;
  /**
   * Writes a comment, or the new text of the one with this id; returns its id. A comment that is gone is written anew.
   *
   * @param id Null for a new one.
   */
  writeNote(issue: Issue, text: string, id: string | null): Promise<string>;
}

/**
 * A source of issues. Its adapter makes a new one whenever the workflow changes, so it need not watch its own settings.
 * People change issues, and so does the agent through {@link tools}. The orchestrator itself only reads, unless the
 * workflow delivers what agents made.
 */
export interface Tracker {
  readonly profile: AdapterProfile;
  /**
   * All issues in one of the states, compared without regard to case and surrounding blanks. No states: no request and
   * no issues. Either all pages or a {@link TrackerError}. An issue that is not well formed may be left out, with a
   * line in the log.
   */
  fetchIssuesByStates(states: readonly string[], call?: TrackerCall): Promise<readonly Issue[]>;
  /**
   * The issues with these ids as they are now; an id that is left out of the answer is not visible any more. No ids: no
   * request. An issue that is not well formed fails the call.
   */
  fetchIssuesByIds(ids: readonly string[], call?: TrackerCall): Promise<readonly Issue[]>;
  /** The tools that a run's agent gets. They act with this side's credentials, which the agent never sees. */
  tools(session: ToolSession): readonly Tool[];
  /** Names of environment variables that hold this tracker's secrets: no child process gets them. */
  readonly secretEnvNames: readonly string[];
  /** The secrets themselves: no child process gets a variable with one, and nothing that is shown or kept holds one. */
  readonly secrets: readonly string[];
  /** Names the place whose issues it has, the same for everybody who works on them; null where nobody else can. */
  readonly scope: string | null;
  /** Undefined where the orchestrator can only read. */
  readonly writer?: IssueWriter | undefined;
  /** Releases what it holds. */
  close?(): Promise<void>;
}
