import { type Issue, normalState } from "../../tracker/issue.ts";
import type { IssueWriter } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { text } from "../records/normalize.ts";
import type { IssueUpdates } from "../records/update-tool.ts";
import type { GitlabClient } from "./client.ts";
import { withoutQuickActions } from "./quick-actions.ts";
import type { GitlabSettings } from "./settings.ts";

/** First line of the comment, which is not shown: by it the comment is found whose id was lost in a crash. */
const mark = "<!-- quire: delivery -->";

/** Changes issues on GitLab. */
export function gitlabWriter(
  client: GitlabClient,
  { stateLabels, labelNames }: GitlabSettings,
): IssueWriter & IssueUpdates {
  const notes = ({ id }: Issue) => `/issues/${id}/notes`;
  return {
    async setState({ id, labels, state: before }, state, { signal } = {}) {
      const wanted = normalState(state);
      const own = [...stateLabels].find(([, name]) => normalState(name) === wanted)?.[0];
      if (own === undefined && wanted !== "opened" && wanted !== "closed") {
        throw new TrackerError(
          "invalid_tracker_config",
          `GitLab has no state ${state}: name its label in state_labels.`,
        );
      }
      const left = labels.filter((label) => label !== own && stateLabels.has(label));
      // Here labels of another case are other labels.
      const named = (label: string) => labelNames.get(label) ?? label;
      const event = wanted === "closed" ? "close" : normalState(before) === "closed" ? "reopen" : null;
      const change = {
        ...(own !== undefined && { add_labels: named(own) }),
        ...(left.length > 0 && { remove_labels: left.map(named).join(",") }),
        ...(event !== null && { state_event: event }),
      };
      if (Object.keys(change).length > 0) await client.change("PUT", `/issues/${id}`, change, signal);
    },
    async comment(issue, words, { signal }) {
      await client.change("POST", notes(issue), { body: withoutQuickActions(words) }, signal);
    },
    async writeNote(issue, words, known) {
      const body = `${mark}\n${withoutQuickActions(words)}`;
      const id = known ?? (await findNote(client, notes(issue)));
      if (id !== null && /^\d+$/.test(id)) {
        const path = `${notes(issue)}/${id}`;
        const { status } = await client.send("PUT", path, { body: { body } });
        if (status < 300) return id;
        if (status !== 404) client.assertGood(status, path);
      }
      return String((await client.change("POST", notes(issue), { body })).id ?? "");
    },
  };
}

async function findNote(client: GitlabClient, path: string): Promise<string | null> {
  for (const { id, body, author } of await client.list(path)) {
    const isOurs = text(body)?.startsWith(mark) === true;
    if (isOurs && (await client.isWriter((author as { id?: unknown } | null)?.id))) return String(id);
  }
  return null;
}
