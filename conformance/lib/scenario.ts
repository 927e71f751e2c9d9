import type { RealCodexOptions } from "@quire/testkit";
import type { Stage } from "./stage.ts";

/** A difference between the two servers that is meant to be there. */
export interface DeclaredDifference {
  /** The beginning of a difference's `where` as the run prints it, or a pattern for it. */
  readonly at: string | RegExp;
  /** Why ours differs, for the reader of the table. */
  readonly reason: string;
}

/** A story that both servers are taken through, each with the same scripted model. */
export interface Scenario {
  /** `topic/case`. */
  readonly name: string;
  /** The behaviour that users rely on, for the table. */
  readonly covers: string;
  /** Further settings of `config.toml`. */
  readonly setup?: Pick<RealCodexOptions, "config" | "toml" | "retries" | "modelName" | "env">;
  /** Drives the server. Whatever is said and whatever the model is asked meanwhile is compared. */
  readonly run: (stage: Stage) => Promise<void>;
  /** Notifications whose order is free here, as with calls that run in parallel. */
  readonly free?: readonly string[];
  /** Notifications that the real server sends here or not, as it happens. They are not compared. */
  readonly erratic?: readonly string[];
  /** True if output of commands has to be streamed. For short commands the real server may not stream it. */
  readonly streamed?: boolean;
  /** Phrases to look for in what the model is sent; other prose is compared by its kind alone. */
  readonly quotes?: readonly string[];
  /** Differences that are meant. One that does not occur fails the run, as does one that is not declared. */
  readonly differences?: readonly DeclaredDifference[];
}
