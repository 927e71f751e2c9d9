import type { Session } from "../session/session.ts";
import type { Filesystem } from "../workspace/filesystem.ts";

/** The context of a completion checker. */
export interface CompletionContext {
  readonly session: Session;
  /** The model's last message. */
  readonly text: string | null;
  /** The output so far, where there is one that fits. */
  readonly output: unknown;
  readonly filesystem: Filesystem | undefined;
}

/** A verdict on the work. Without feedback for the model, unfinished work ends all the same. */
export interface Completion {
  readonly complete: boolean;
  /** The input of the next turn. */
  readonly feedback?: string | undefined;
}

/** Looks at the end of each turn whether the work is done. */
export interface CompletionChecker {
  check(context: CompletionContext): Completion | Promise<Completion>;
}

/** Missing files that the feedback names. */
const mostNamed = 3;

/** The work is done when these files are in the workspace. Without a workspace it is not. */
export function requiredFiles(paths: readonly string[]): CompletionChecker {
  return {
    async check({ filesystem }) {
      if (!filesystem) return { complete: false, feedback: "There is no workspace in which the files could be." };
      const missing: string[] = [];
      for (const path of paths) if (!(await filesystem.exists(path).catch(() => false))) missing.push(path);
      if (missing.length === 0) return { complete: true };
      const rest = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
      const feedback = `These files are still missing: ${missing.slice(0, mostNamed).join(", ")}${rest}. Make them.`;
      return { complete: false, feedback };
    },
  };
}

/** Done when all say so. The first that does not is asked last, and its feedback counts. */
export function allComplete(...checkers: readonly CompletionChecker[]): CompletionChecker {
  return {
    async check(context) {
      for (const checker of checkers) {
        const verdict = await checker.check(context);
        if (!verdict.complete) return verdict;
      }
      return { complete: true };
    },
  };
}

/** Done when one says so. The first that does is asked last; else the feedback of all counts. */
export function anyComplete(...checkers: readonly CompletionChecker[]): CompletionChecker {
  return {
    async check(context) {
      const feedback: string[] = [];
      for (const checker of checkers) {
        const verdict = await checker.check(context);
        if (verdict.complete) return verdict;
        if (verdict.feedback) feedback.push(verdict.feedback);
      }
      return { complete: false, feedback: feedback.length === 0 ? undefined : feedback.join("\n") };
    },
  };
}
