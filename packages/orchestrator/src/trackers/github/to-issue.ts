import type { BlockingIssue, Issue } from "../../tracker/issue.ts";
import { labelPriority } from "../records/label-settings.ts";
import { asList, asObject, instantOf, type JsonObject, labelsOf, text } from "../records/normalize.ts";
import type { GithubSettings } from "./settings.ts";

/** An issue without what takes further requests to know. */
export interface ReadIssue {
  readonly issue: Issue;
  readonly number: number;
  /** True if GitHub counts open issues that block this one. */
  readonly blocked: boolean;
}

/** Rules for reading a record. */
export interface ReadRules extends GithubSettings {
  /** True if the workflow only takes issues with a certain label. */
  readonly requiresLabel: boolean;
}

/** Reads a record of GitHub. Returns a sentence for a record that cannot be an issue. */
export function readIssue(record: unknown, settings: ReadRules): ReadIssue | string {
  const raw = asObject(record);
  const number = raw?.number;
  if (raw === undefined || typeof number !== "number" || !Number.isInteger(number) || number < 1) {
    return "GitHub returned a record without a number.";
  }
  const title = text(raw.title);
  if (title === null) return `GitHub's issue ${number} has no title.`;
  if (raw.state !== "open" && raw.state !== "closed")
    return `GitHub's issue ${number} has the unknown state ${raw.state}.`;
  const labels = labelsOf(asList(raw.labels).map((label) => asObject(label)?.name ?? label));
  const blocked = numberOf(asObject(raw.issue_dependencies_summary)?.blocked_by) > 0;
  const issue: Issue = {
    id: String(number),
    nativeRef: nativeRef(raw, settings),
    identifier: identifierOf(number),
    title,
    description: text(raw.body),
    priority: labelPriority(labels, settings.priorityLabels),
    state: state(raw.state, labels, settings),
    branchName: null,
    url: text(raw.html_url),
    assigneeId: text(asObject(raw.assignee)?.login),
    labels,
    blockedBy: [],
    dispatchable:
      !blocked && raw.pull_request === undefined && isOurs(raw, settings) && isWanted(raw, labels, settings),
    createdAt: instantOf(raw.created_at),
    updatedAt: instantOf(raw.updated_at),
  };
  return { issue, number, blocked };
}

/** An issue that blocks another, which may be of another repository. */
export function blockerOf(record: unknown, { owner, repo }: GithubSettings): BlockingIssue | undefined {
  const raw = asObject(record);
  const number = raw?.number;
  if (raw === undefined || typeof number !== "number") return undefined;
  const [, home] = /\/repos\/([^/]+\/[^/]+)$/.exec(text(raw.repository_url) ?? "") ?? [];
  const foreign = home !== undefined && home.toLowerCase() !== `${owner}/${repo}`.toLowerCase();
  return {
    id: foreign ? null : String(number),
    identifier: foreign ? `${home}#${number}` : identifierOf(number),
    state: text(raw.state),
  };
}

const identifierOf = (number: number) => `GH-${number}`;

function nativeRef(raw: JsonObject, { owner, repo }: GithubSettings): unknown {
  const known = Object.entries({ id: raw.id, node_id: raw.node_id, number: raw.number });
  const plain = known.filter(([, value]) => typeof value === "string" || typeof value === "number");
  return { ...Object.fromEntries(plain), repo: `${owner}/${repo}` };
}

/** A closed issue is closed, whatever its labels say; of an open one the first label of the map decides. */
function state(own: "open" | "closed", labels: readonly string[], { stateLabels }: GithubSettings): string {
  if (own === "closed") return own;
  for (const [label, name] of stateLabels) if (labels.includes(label)) return name;
  return own;
}

function isOurs(raw: JsonObject, { assignee }: GithubSettings): boolean {
  if (assignee === null) return true;
  const all = [raw.assignee, ...asList(raw.assignees)];
  return all.some((each) => text(asObject(each)?.login)?.toLowerCase() === assignee.toLowerCase());
}

/** GitHub's names for authors who can write to the repository. */
const writers: ReadonlySet<unknown> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

/**
 * True if somebody with a say in the repository wants this issue worked on: as its author, or by a label or an
 * assignment, which strangers cannot set. Anybody may open an issue.
 */
function isWanted(raw: JsonObject, labels: readonly string[], { authors, assignee, ...settings }: ReadRules): boolean {
  const isLabelled = settings.requiresLabel || labels.some((label) => settings.stateLabels.has(label));
  return authors === "any" || assignee !== null || isLabelled || writers.has(raw.author_association);
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : 0);
