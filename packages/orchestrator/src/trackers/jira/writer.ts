import { normalState } from "../../tracker/issue.ts";
import type { IssueWriter } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { asList, asObject, text } from "../records/normalize.ts";
import type { IssueUpdates } from "../records/update-tool.ts";
import type { JiraClient } from "./client.ts";
import { documentOf } from "./document.ts";

/** Changes issues in Jira. */
export function jiraWriter(client: JiraClient): IssueWriter & IssueUpdates {
  return {
    async setState({ id, identifier, state: before }, state, { signal } = {}) {
      const wanted = normalState(state);
      const { transitions } = await client.call("GET", `/issue/${id}/transitions`, { signal });
      const all = asList(transitions).map((each) => asObject(each) ?? {});
      const nameOf = (to: unknown) => text(asObject(to)?.name) ?? "";
      const found = all.find(({ to }) => normalState(nameOf(to)) === wanted);
      if (found !== undefined) {
        const body = { transition: { id: String(found.id) } };
        await client.call("POST", `/issue/${id}/transitions`, { body, signal });
        return;
      }
      if (normalState(before) === wanted) return;
      const names = all.map(({ to }) => nameOf(to)).join(", ") || "nowhere";
      throw new TrackerError(
        "invalid_tracker_config",
        `Jira's workflow leads ${identifier} from ${before} to ${names}, not to ${state}: add a transition.`,
      );
    },
    async comment({ id }, words, { signal }) {
      await client.call("POST", `/issue/${id}/comment`, { body: { body: documentOf(words) }, signal });
    },
    async writeNote({ id: issue }, words, known) {
      const body = { body: documentOf(words) };
      if (known !== null && /^\d+$/.test(known)) {
        const path = `/issue/${issue}/comment/${known}`;
        const response = await client.send("PUT", path, { body });
        if (response.status < 300) return known;
        if (response.status !== 404) client.assertGood(response, path);
      }
      return text((await client.call("POST", `/issue/${issue}/comment`, { body })).id) ?? "";
    },
  };
}
