import { type BlockingIssue, type Issue, isStateIn } from "../../tracker/issue.ts";
import { asList, asObject, instantOf, type JsonObject, labelsOf, priorityOf, text } from "../records/normalize.ts";

/** Rules that decide whether an issue may be worked on. */
export interface LinearRules {
  /** The first of the active states: blockers hold an issue back only there, before work on it has started. */
  readonly firstState: string | undefined;
  readonly terminalStates: readonly string[];
  /** Only issues of this user. */
  readonly assigneeId: string | null;
}

/** Reads a record of Linear. Returns a sentence for a record that cannot be an issue. */
export function readIssue(record: unknown, rules: LinearRules): Issue | string {
  const raw = asObject(record);
  const id = text(raw?.id);
  if (raw === undefined || id === null) return "Linear returned a record without an id.";
  const identifier = text(raw.identifier);
  if (identifier === null) return `Linear's issue ${id} has no identifier.`;
  const title = text(raw.title);
  if (title === null) return `Linear's issue ${identifier} has no title.`;
  const state = text(asObject(raw.state)?.name);
  if (state === null) return `Linear's issue ${identifier} has no state.`;
  const assigneeId = text(asObject(raw.assignee)?.id);
  const blockedBy = blockersOf(raw);
  const held = isHeld(state, blockedBy, rules) || hasMoreRelations(raw, state, rules);
  return {
    id,
    nativeRef: nativeRef(raw),
    identifier,
    title,
    description: text(raw.description),
    // Linear's 0 means that none was set.
    priority: raw.priority === 0 ? null : priorityOf(raw.priority),
    state,
    branchName: text(raw.branchName),
    url: text(raw.url),
    assigneeId,
    labels: labelsOf(asList(asObject(raw.labels)?.nodes).map((label) => asObject(label)?.name)),
    blockedBy,
    dispatchable: !held && (rules.assigneeId === null || assigneeId === rules.assigneeId),
    createdAt: instantOf(raw.createdAt),
    updatedAt: instantOf(raw.updatedAt),
  };
}

function nativeRef(raw: JsonObject): unknown {
  const known = {
    team_id: asObject(raw.team)?.id,
    team_key: asObject(raw.team)?.key,
    project_id: asObject(raw.project)?.id,
  };
  const plain = Object.entries(known).filter(([, value]) => text(value) !== null);
  return plain.length === 0 ? null : Object.fromEntries(plain);
}

function blockersOf(raw: JsonObject): BlockingIssue[] {
  return asList(asObject(raw.inverseRelations)?.nodes).flatMap((relation) => {
    const { type, issue } = asObject(relation) ?? {};
    const blocker = asObject(issue);
    if (type !== "blocks" || blocker === undefined) return [];
    return [{ id: text(blocker.id), identifier: text(blocker.identifier), state: text(asObject(blocker.state)?.name) }];
  });
}

/** A blocker whose state is not known counts as unfinished. */
function isHeld(state: string, blockers: readonly BlockingIssue[], rules: LinearRules): boolean {
  if (rules.firstState === undefined || !isStateIn(state, [rules.firstState])) return false;
  return blockers.some((blocker) => blocker.state === null || !isStateIn(blocker.state, rules.terminalStates));
}

/** An issue with more relations than were read may be blocked by one of the rest: it waits. */
function hasMoreRelations(raw: JsonObject, state: string, { firstState }: LinearRules): boolean {
  const more = asObject(asObject(raw.inverseRelations)?.pageInfo)?.hasNextPage === true;
  return more && firstState !== undefined && isStateIn(state, [firstState]);
}
