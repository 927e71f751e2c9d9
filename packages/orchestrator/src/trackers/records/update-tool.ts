import { jsonSchema, type Tool, tool } from "@quire/client";
import type { Issue } from "../../tracker/issue.ts";
import type { ToolSession } from "../../tracker/tracker.ts";

interface Input {
  readonly state?: string;
  readonly comment?: string;
}

/** Changes that an agent may make to the issue of its run. */
export interface IssueUpdates {
  setState(issue: Issue, state: string, call: { readonly signal: AbortSignal }): Promise<void>;
  comment(issue: Issue, text: string, call: { readonly signal: AbortSignal }): Promise<void>;
}

/** Longest comment of an agent. */
const maxComment = 30_000;

/** Lets the agent change the issue that it works on, and nothing else: its state, and comments. */
export function updateTool(updates: IssueUpdates, { issue, changed }: ToolSession): Tool {
  const input = jsonSchema<Input>({
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: {
      state: { type: "string", minLength: 1, description: "The new state" },
      comment: { type: "string", minLength: 1, maxLength: maxComment, description: "Text of a new comment" },
    },
  });
  return tool<Input>({
    name: "tracker_update",
    description: `Changes issue ${issue.identifier}: adds a comment, sets its state.`,
    input,
    async run({ state, comment }, { signal }) {
      if (state !== undefined && (state.trim() === "" || /[\r\n]/.test(state)))
        throw new Error("A state is one line of text.");
      // First, so that an issue that leaves its state has all that was said of it.
      if (comment !== undefined) await updates.comment(issue, comment, { signal });
      if (state !== undefined) {
        await updates.setState(issue, state.trim(), { signal });
        changed?.();
      }
      return { issue: issue.identifier, ...(state !== undefined && { state: state.trim() }) };
    },
  }) as Tool;
}
