import { type BlockingIssue, type Issue, isStateIn } from "../../tracker/issue.ts";
import { asList, asObject, type JsonObject, labelsOf, text } from "../records/normalize.ts";
import { plainText } from "./document.ts";
import type { JiraSettings } from "./settings.ts";

/** Rules that decide whether an issue may be worked on. */
export interface JiraRules extends JiraSettings {
  /** The first of the active states: blockers hold an issue back only there, before work on it has started. */
  readonly firstState: string | undefined;
  readonly terminalStates: readonly string[];
}

/** Reads a record of Jira. Returns a sentence for a record that cannot be an issue; null for one of another project. */
export function readIssue(record: unknown, rules: JiraRules): Issue | string | null {
  const raw = asObject(record);
  const [id, key] = [text(raw?.id), text(raw?.key)];
  if (raw === undefined || id === null || !/^\d+$/.test(id) || key === null) {
    return "Jira returned a record without an id or a key.";
  }
  const fields = asObject(raw.fields) ?? {};
  if (text(asObject(fields.project)?.key)?.toUpperCase() !== rules.project) return null;
  const title = text(fields.summary);
  if (title === null) return `Jira's issue ${key} has no summary.`;
  const state = text(asObject(fields.status)?.name);
  if (state === null) return `Jira's issue ${key} has no status.`;
  const assigneeId = text(asObject(fields.assignee)?.accountId);
  const blockedBy = blockersOf(fields);
  const isFirst = rules.firstState !== undefined && isStateIn(state, [rules.firstState]);
  const held = isFirst && blockedBy.some((each) => each.state === null || !isStateIn(each.state, rules.terminalStates));
  return {
    id,
    nativeRef: { key, project: rules.project },
    identifier: key,
    title,
    description: plainText(fields.description),
    priority: priorityOf(fields.priority),
    state,
    branchName: null,
    url: `${rules.url}/browse/${encodeURIComponent(key)}`,
    assigneeId,
    labels: labelsOf(asList(fields.labels)),
    blockedBy,
    dispatchable: !held && (rules.assignee === null || assigneeId === rules.assignee),
    createdAt: instant(fields.created),
    updatedAt: instant(fields.updated),
  };
}

/** Links by which another issue blocks this one, whatever they are called in the user's language. */
function blockersOf(fields: JsonObject): BlockingIssue[] {
  return asList(fields.issuelinks).flatMap((link) => {
    const { type, inwardIssue } = asObject(link) ?? {};
    const blocker = asObject(inwardIssue);
    if (blocker === undefined || !/^blocks$/i.test(text(asObject(type)?.outward) ?? "")) return [];
    const state = text(asObject(asObject(blocker.fields)?.status)?.name);
    return [{ id: text(blocker.id), identifier: text(blocker.key), state }];
  });
}

/** Names that come with Jira, the most urgent first; of others the id, which counts in the same order. */
const priorities: readonly string[] = ["highest", "high", "medium", "low", "lowest"];

function priorityOf(value: unknown): number | null {
  const { name, id } = asObject(value) ?? {};
  const at = priorities.indexOf(text(name)?.trim().toLowerCase() ?? "");
  if (at >= 0) return at + 1;
  return /^\d{1,4}$/.test(text(id) ?? "") ? Number(id) : null;
}

/** Jira writes the zone without a colon: `2026-01-01T00:00:00.000+0000`. */
function instant(value: unknown): string | null {
  const time = Date.parse(text(value)?.replace(/([+-]\d{2})(\d{2})$/, "$1:$2") ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
