import { normalState } from "../../tracker/issue.ts";
import type { IssueWriter } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { asList, asObject, text } from "../records/normalize.ts";
import type { LinearClient } from "./client.ts";

const statesQuery = `query QuireStates($id: String!) {
  issue(id: $id) { team { states(first: 100) { nodes { id name } } } }
}`;
const stateMutation = `mutation QuireState($id: String!, $stateId: String!) {
  issueUpdate(id: $id, input: { stateId: $stateId }) { success }
}`;
const createMutation = `mutation QuireNote($issueId: String!, $body: String!) {
  commentCreate(input: { issueId: $issueId, body: $body }) { success comment { id } }
}`;
const updateMutation = `mutation QuireNote($id: String!, $body: String!) {
  commentUpdate(id: $id, input: { body: $body }) { success }
}`;

/** Changes issues in Linear. */
export function linearWriter(client: LinearClient): IssueWriter {
  return {
    async setState({ id }, state, { signal } = {}) {
      const { issue } = await client.query({ query: statesQuery, variables: { id }, signal });
      const states = asList(asObject(asObject(asObject(issue)?.team)?.states)?.nodes).map(
        (each) => asObject(each) ?? {},
      );
      const found = states.find(({ name }) => normalState(text(name) ?? "") === normalState(state));
      if (!found) throw new TrackerError("invalid_tracker_config", `The issue's team in Linear has no state ${state}.`);
      await client.query({ query: stateMutation, variables: { id, stateId: found.id }, signal });
    },
    async writeNote({ id: issueId }, body, id) {
      if (id !== null) {
        const { errors } = await client.send({ query: updateMutation, variables: { id, body } });
        if (errors.length === 0) return id;
      }
      const { commentCreate } = await client.query({ query: createMutation, variables: { issueId, body } });
      return text(asObject(asObject(commentCreate)?.comment)?.id) ?? "";
    },
  };
}
