import type { ReviewTarget } from "@quire/protocol";
import { invalidRequest } from "../../lib/rpc-errors.ts";

/** The target of a review, as a label for people and as a request to the reviewer. */
export interface ReviewTask {
  readonly hint: string;
  readonly request: string;
}

/** The task for a target. */
export function reviewTask(target: ReviewTarget): ReviewTask {
  switch (target.type) {
    case "uncommittedChanges":
      return {
        hint: "current changes",
        request:
          "Review everything that is not committed: staged and unstaged changes and untracked files. Find them with git status and git diff.",
      };
    case "baseBranch": {
      const branch = required(target.branch, "branch");
      return {
        hint: `changes against '${branch}'`,
        request: `Review what this branch changes against ${branch}. Find the point where they part with git merge-base HEAD ${branch} (or its upstream, where that is ahead) and look at the git diff from there.`,
      };
    }
    case "commit": {
      const sha = required(target.sha, "sha");
      const title = target.title?.trim();
      return {
        hint: title ? `commit ${sha.slice(0, 7)}: ${title}` : `commit ${sha.slice(0, 7)}`,
        request: `Review what the commit ${sha}${title ? ` ("${title}")` : ""} changes; git show ${sha} shows it.`,
      };
    }
    case "custom": {
      const instructions = required(target.instructions, "instructions");
      return { hint: instructions, request: instructions };
    }
  }
}

function required(value: string, field: string): string {
  const text = value.trim();
  if (text === "") throw invalidRequest(`${field} must not be empty`);
  return text;
}
