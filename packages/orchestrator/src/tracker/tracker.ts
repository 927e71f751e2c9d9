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
}

/**
 * A source of issues. Its adapter makes a new one whenever the workflow changes, so it need not watch its own settings.
 * The orchestrator only reads; people change issues, and so does the agent through {@link tools}.
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
  /** Lets go of what it holds. */
  close?(): Promise<void>;
}
