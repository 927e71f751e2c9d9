import type { Issue } from "../../tracker/issue.ts";
import { asObject, type JsonObject } from "../records/normalize.ts";
import { type MutationField, mutationFields } from "./graphql-mutations.ts";

/** Mutations by which an agent changes its issue, and where they name it. */
const ofIssue: ReadonlyMap<string, (args: JsonObject) => unknown> = new Map(
  Object.entries<(args: JsonObject) => unknown>({
    issueUpdate: (args) => args.id,
    commentCreate: (args) => asObject(args.input)?.issueId,
    attachmentCreate: (args) => asObject(args.input)?.issueId,
    attachmentLinkURL: (args) => args.issueId,
  }),
);

/** Context in which an agent's mutations are checked. */
export interface LinearCall {
  readonly query: string;
  readonly variables: JsonObject;
  /** The one that the agent works on. */
  readonly issue: Issue;
}

/** Throws where a document changes anything but the issue that the agent works on. */
export function checkMutations({ query, variables, issue }: LinearCall): void {
  for (const field of mutationFields(query, variables)) {
    if (isOwn(field, issue)) continue;
    throw new Error(
      `${field.name} is not allowed: only ${[...ofIssue.keys()].join(", ")} of the issue ${issue.id} are, named by that id. A person can allow more by tracker.provider.tool_scope.`,
    );
  }
}

function isOwn({ name, args }: MutationField, { id, identifier }: Issue): boolean {
  const named = ofIssue.get(name)?.(args);
  return named === id || named === identifier;
}
