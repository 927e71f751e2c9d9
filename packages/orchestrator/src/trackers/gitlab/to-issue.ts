import type { Issue } from "../../tracker/issue.ts";
import { labelPriority } from "../records/label-settings.ts";
import { asList, asObject, instantOf, type JsonObject, labelsOf, text } from "../records/normalize.ts";
import type { GitlabSettings } from "./settings.ts";

/** An issue, and who decides whether it is worked on. */
export interface ReadIssue {
  readonly issue: Issue;
  /** The author's id. */
  readonly author: unknown;
  /** True if somebody with a say in the project labelled or assigned it; strangers cannot. */
  readonly isWanted: boolean;
}

/** Rules for reading a record. */
export interface ReadRules extends GitlabSettings {
  /** True if the workflow only takes issues with a certain label. */
  readonly requiresLabel: boolean;
}

/** Reads a record of GitLab. Returns a sentence for a record that cannot be an issue. */
export function readIssue(record: unknown, settings: ReadRules): ReadIssue | string {
  const raw = asObject(record);
  const iid = raw?.iid;
  if (raw === undefined || typeof iid !== "number" || !Number.isInteger(iid) || iid < 1) {
    return "GitLab returned a record without a number.";
  }
  const title = text(raw.title);
  if (title === null) return `GitLab's issue ${iid} has no title.`;
  const own = raw.state;
  if (own !== "opened" && own !== "closed") return `GitLab's issue ${iid} has the unknown state ${String(own)}.`;
  const labels = labelsOf(asList(raw.labels));
  const { assignee, stateLabels, priorityLabels, requiresLabel } = settings;
  const people = asList(raw.assignees).map((each) => text(asObject(each)?.username)?.toLowerCase());
  const isOurs = assignee === null || people.includes(assignee.toLowerCase());
  const issue: Issue = {
    id: String(iid),
    nativeRef: { ...(typeof raw.id === "number" && { id: raw.id }), iid, project: settings.project },
    identifier: `GL-${iid}`,
    title,
    description: text(raw.description),
    priority: labelPriority(labels, priorityLabels),
    state: own === "closed" ? own : (stateOf(labels, stateLabels) ?? own),
    branchName: null,
    url: text(raw.web_url),
    assigneeId: text(asObject(asList(raw.assignees)[0])?.username),
    labels,
    blockedBy: [],
    dispatchable: isOurs,
    createdAt: instantOf(raw.created_at),
    updatedAt: instantOf(raw.updated_at),
  };
  const isWanted = assignee !== null || requiresLabel || labels.some((label) => stateLabels.has(label));
  return { issue, author: asObject(raw.author)?.id, isWanted };
}

/** The issues with what blocks them, as a GraphQL answer says. Open ones hold an issue back. */
export function withBlockers(issues: readonly Issue[], nodes: readonly unknown[]): readonly Issue[] {
  const byId = new Map(nodes.map((node) => [String(asObject(node)?.iid), asObject(node)]));
  return issues.map((issue) => {
    const blockers = asList(asObject(byId.get(issue.id)?.blockedByIssues)?.nodes).map((each) => asObject(each) ?? {});
    if (blockers.length === 0 && byId.get(issue.id)?.blocked !== true) return issue;
    return { ...issue, dispatchable: false, blockedBy: blockers.map(blockerOf) };
  });
}

function blockerOf({ iid, state, reference }: JsonObject) {
  const name = text(reference);
  // Of another project it has that project's name in front.
  const isHere = name === null || name.startsWith("#");
  return {
    id: isHere ? text(iid) : null,
    identifier: isHere ? `GL-${String(iid)}` : name,
    state: text(state),
  };
}

function stateOf(labels: readonly string[], states: ReadonlyMap<string, string>): string | undefined {
  for (const [label, name] of states) if (labels.includes(label)) return name;
  return undefined;
}
