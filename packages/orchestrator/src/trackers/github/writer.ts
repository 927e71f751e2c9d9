import { normalState } from "../../tracker/issue.ts";
import type { IssueWriter } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { asObject, text } from "../records/normalize.ts";
import { parseJson } from "../remote/bounded-fetch.ts";
import { type GithubClient, type GithubRequest, pageSize } from "./client.ts";

/** First line of the comment, which is not shown: by it the comment is found whose id was lost in a crash. */
const mark = "<!-- quire: delivery -->";

/** Authors whose comment with the mark may be ours: others could have one of theirs changed. */
const writers: ReadonlySet<unknown> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

/** Changes issues on GitHub. */
export function githubWriter(client: GithubClient): IssueWriter {
  const { stateLabels } = client.settings;
  const change = async (request: GithubRequest, missing: readonly number[] = []) => {
    const response = await client.send(request);
    if (!missing.includes(response.status)) client.assertGood(response, request.path);
    return response;
  };
  return {
    async setState({ id, labels }, state, { signal } = {}) {
      const path = `${client.repoPath}/issues/${id}`;
      const wanted = normalState(state);
      const own = [...stateLabels].find(([, name]) => normalState(name) === wanted)?.[0];
      if (own === undefined && wanted !== "open" && wanted !== "closed") {
        throw new TrackerError(
          "invalid_tracker_config",
          `GitHub has no state ${state}: name its label in state_labels.`,
        );
      }
      if (own !== undefined && !labels.includes(own)) {
        await change({ method: "POST", path: `${path}/labels`, body: { labels: [own] }, signal });
      }
      for (const label of labels) {
        if (label === own || !stateLabels.has(label)) continue;
        await change({ method: "DELETE", path: `${path}/labels/${encodeURIComponent(label)}`, signal }, [404]);
      }
      await change({ method: "PATCH", path, body: { state: wanted === "closed" ? "closed" : "open" }, signal });
    },
    async writeNote({ id: issue }, words, known) {
      const body = `${mark}\n${words}`;
      const id = known ?? (await findNote(client, issue));
      if (id !== null && /^\d+$/.test(id)) {
        const path = `${client.repoPath}/issues/comments/${id}`;
        const { status } = await change({ method: "PATCH", path, body: { body } }, [404, 410]);
        if (status < 300) return id;
      }
      const path = `${client.repoPath}/issues/${issue}/comments`;
      const answer = await change({ method: "POST", path, body: { body } });
      return String(asObject(parseJson(answer.text, "GitHub"))?.id ?? "");
    },
  };
}

async function findNote(client: GithubClient, issue: string): Promise<string | null> {
  const comments = await client.getAll(`${client.repoPath}/issues/${issue}/comments?per_page=${pageSize}`);
  const ours = comments
    .map((comment) => asObject(comment) ?? {})
    .find(({ body, author_association: who }) => text(body)?.startsWith(mark) && writers.has(who));
  return ours === undefined ? null : String(ours.id);
}
