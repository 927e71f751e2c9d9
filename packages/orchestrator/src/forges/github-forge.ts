import { partsOf } from "../lib/secrets.ts";
import { TrackerError } from "../tracker/tracker-error.ts";
import { GithubClient } from "../trackers/github/client.ts";
import { githubSecrets, githubSettings } from "../trackers/github/settings.ts";
import { asList, asObject, type JsonObject, text } from "../trackers/records/normalize.ts";
import { parseJson } from "../trackers/remote/bounded-fetch.ts";
import type { Feedback, Forge, ForgeAdapter, PullRequest, PullStatus } from "./forge.ts";
import { basicCredential } from "./git-credential.ts";

/** Pull requests of a repository on GitHub. */
export const githubForge: ForgeAdapter = {
  settings: ["repo", "token", "api_url", "requests_per_hour"],
  create(provider, { env }) {
    const client = new GithubClient(githubSettings(provider, env));
    const { owner, repo, apiUrl, token } = client.settings;
    const host = apiUrl === "https://api.github.com" ? "https://github.com" : new URL(apiUrl).origin;
    const forge: Forge = {
      kind: "github",
      remote: `${host}/${owner}/${repo}.git`,
      credential: basicCredential(host, "x-access-token", token),
      hasChecks: true,
      secretEnvNames: githubSecrets(provider),
      secrets: partsOf(token),
      async find(branch, { signal } = {}) {
        const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, per_page: "10" });
        const found = await client.getAll(`${client.repoPath}/pulls?${query}`, signal);
        const ours = found.map((each) => asObject(each) ?? {}).find((each) => isOurs(each, client));
        return ours ? pullOf(ours) : null;
      },
      async open({ branch, base, title, body }, { signal } = {}) {
        return pullOf(await change(client, "POST", "/pulls", { head: branch, base, title, body }, signal));
      },
      async edit({ id }, { title, body }, { signal } = {}) {
        await change(client, "PATCH", `/pulls/${id}`, { title, body }, signal);
      },
      status: (pull, { signal } = {}) => statusOf(client, pull, signal),
      async merge({ id }, { sha, method, text: { title } }, { signal } = {}) {
        const body = { sha, merge_method: method, ...(method !== "rebase" && { commit_title: `${title} (#${id})` }) };
        const path = `${client.repoPath}/pulls/${id}/merge`;
        const response = await client.send({ method: "PUT", path, body, signal });
        // A conflict or a rule of the repository, and another commit than the one that was looked at.
        if (response.status === 405 || response.status === 409) return false;
        client.assertGood(response, path);
        return true;
      },
    };
    return forge;
  },
};

async function change(
  client: GithubClient,
  method: string,
  rest: string,
  body: object,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const path = `${client.repoPath}${rest}`;
  const response = await client.send({ method, path, body, signal });
  client.assertGood(response, path);
  return asObject(parseJson(response.text, "GitHub")) ?? {};
}

function pullOf(record: JsonObject): PullRequest {
  const { number } = record;
  if (typeof number !== "number") {
    throw new TrackerError("tracker_response", "GitHub returned a pull request without a number.");
  }
  return { id: String(number), url: text(record.html_url) };
}

/** True for a branch of this repository: a fork may have one of the same name. */
function isOurs(record: JsonObject, { settings: { owner, repo } }: GithubClient): boolean {
  const name = text(asObject(asObject(record.head)?.repo)?.full_name);
  return name?.toLowerCase() === `${owner}/${repo}`.toLowerCase();
}

async function statusOf(client: GithubClient, { id }: PullRequest, signal?: AbortSignal): Promise<PullStatus> {
  const pull = await client.getOne(`${client.repoPath}/pulls/${id}`, signal);
  if (pull === null) return { state: "closed", sha: null, checks: "none", review: "none", feedback: [] };
  const sha = text(asObject(pull.head)?.sha);
  const state = pull.merged === true ? "merged" : pull.state === "open" ? "open" : "closed";
  if (state !== "open" || sha === null) return { state, sha, checks: "none", review: "none", feedback: [] };
  const [runs, combined, reviews, comments] = await Promise.all([
    client.getOne(`${client.repoPath}/commits/${sha}/check-runs?per_page=100`, signal),
    client.getOne(`${client.repoPath}/commits/${sha}/status?per_page=100`, signal),
    client.getAll(`${client.repoPath}/pulls/${id}/reviews?per_page=100`, signal),
    client.getAll(`${client.repoPath}/pulls/${id}/comments?per_page=100`, signal),
  ]);
  const checks = checksOf(asList(runs?.check_runs), asList(combined?.statuses), sha);
  const said = [...reviews, ...comments].map((each) => asObject(each) ?? {}).filter(isByWriter);
  return {
    state,
    sha,
    checks: checks.state,
    review: reviewOf(reviews, sha),
    feedback: [...checks.failures, ...said.flatMap(feedbackOf)],
  };
}

const good: ReadonlySet<unknown> = new Set(["success", "neutral", "skipped"]);

function checksOf(runs: readonly unknown[], statuses: readonly unknown[], sha: string) {
  const all = [
    ...runs.map((each) => {
      const { name, status, conclusion, html_url: url, output } = asObject(each) ?? {};
      const summary = text(asObject(output)?.summary) ?? text(asObject(output)?.title);
      return { name: text(name) ?? "check", done: status === "completed", ok: good.has(conclusion), url, summary };
    }),
    ...statuses.map((each) => {
      const { context, state, target_url: url, description } = asObject(each) ?? {};
      const name = text(context) ?? "status";
      return { name, done: state !== "pending", ok: state === "success", url, summary: text(description) };
    }),
  ];
  const failed = all.filter(({ done, ok }) => done && !ok);
  const failures = failed.map(({ name, url, summary }): Feedback => {
    const more = [text(url), summary?.slice(0, 2000)].filter(Boolean).join("\n");
    return { id: `check ${sha} ${name}`, text: `The check "${name}" failed. ${more}` };
  });
  const isDone = all.every(({ done }) => done);
  const state = all.length === 0 ? "none" : failed.length > 0 ? "failed" : isDone ? "passed" : "pending";
  return { state, failures } as const;
}

/** People whose word counts: anybody may comment on a public repository. */
const writers: ReadonlySet<unknown> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
const isByWriter = ({ author_association: who }: JsonObject) => writers.has(who);

/** The last word of each reviewer counts, and an approval only for the commit that it was given for. */
function reviewOf(reviews: readonly unknown[], sha: string): PullStatus["review"] {
  const last = new Map<string, JsonObject>();
  for (const each of reviews.map((review) => asObject(review) ?? {}).filter(isByWriter)) {
    if (each.state !== "COMMENTED") last.set(text(asObject(each.user)?.login) ?? "", each);
  }
  const words = [...last.values()];
  if (words.some(({ state }) => state === "CHANGES_REQUESTED")) return "changes_requested";
  return words.some(({ state, commit_id: of }) => state === "APPROVED" && of === sha) ? "approved" : "none";
}

function feedbackOf(record: JsonObject): readonly Feedback[] {
  const said = text(record.body);
  if (said === null || record.state === "APPROVED" || record.state === "DISMISSED") return [];
  const path = text(record.path);
  const line = typeof record.line === "number" ? `:${record.line}` : "";
  const kind = path === null ? "review" : "comment";
  return [{ id: `${kind} ${String(record.id)}`, text: path === null ? said : `${path}${line}: ${said}` }];
}
