import { partsOf } from "../lib/secrets.ts";
import { TrackerError } from "../tracker/tracker-error.ts";
import { GitlabClient } from "../trackers/gitlab/client.ts";
import { withoutQuickActions } from "../trackers/gitlab/quick-actions.ts";
import { gitlabAccess, gitlabSecrets } from "../trackers/gitlab/settings.ts";
import { asList, asObject, type JsonObject, text } from "../trackers/records/normalize.ts";
import type { Feedback, Forge, ForgeAdapter, PullRequest, PullStatus } from "./forge.ts";
import { basicCredential } from "./git-credential.ts";

/** Merge requests of a project on GitLab. */
export const gitlabForge: ForgeAdapter = {
  settings: ["project", "token", "url"],
  create(provider, { env }) {
    const access = gitlabAccess(provider, env, "deliver.provider");
    const { url, project, token } = access;
    const client = new GitlabClient(access);
    const forge: Forge = {
      kind: "gitlab",
      remote: `${url}/${project}.git`,
      credential: basicCredential(new URL(url).origin, "oauth2", token),
      hasChecks: true,
      secretEnvNames: gitlabSecrets(provider),
      secrets: partsOf(token),
      async find(branch, { signal } = {}) {
        const query = new URLSearchParams({ state: "opened", source_branch: branch });
        const found = await client.list(`/merge_requests?${query}`, signal);
        const ours = found.find((each) => each.source_project_id === each.target_project_id);
        return ours ? pullOf(ours) : null;
      },
      async open({ branch, base, title, body: words }, { signal } = {}) {
        const description = withoutQuickActions(words);
        const body = { source_branch: branch, target_branch: base, title, description };
        return pullOf(await client.change("POST", "/merge_requests", body, signal));
      },
      async edit({ id }, { title, body: words }, { signal } = {}) {
        const description = withoutQuickActions(words);
        await client.change("PUT", `/merge_requests/${id}`, { title, description }, signal);
      },
      status: (pull, { signal } = {}) => statusOf(client, pull, signal),
      async merge({ id }, { sha, method }, { signal } = {}) {
        const body = { sha, squash: method === "squash" };
        const { status } = await client.send("PUT", `/merge_requests/${id}/merge`, { body, signal });
        // A rule, a conflict, and another commit than the one that was looked at.
        if ([405, 406, 409, 422].includes(status)) return false;
        client.assertGood(status, "the merge");
        return true;
      },
    };
    return forge;
  },
};

function pullOf({ iid, web_url: url }: JsonObject): PullRequest {
  if (typeof iid === "number") return { id: String(iid), url: text(url) };
  throw new TrackerError("tracker_response", "GitLab returned a merge request without a number.");
}

async function statusOf(client: GitlabClient, { id }: PullRequest, signal?: AbortSignal): Promise<PullStatus> {
  const pull = await client.one(`/merge_requests/${id}`, signal);
  const sha = text(pull.sha);
  const state = pull.state === "merged" ? "merged" : pull.state === "closed" ? "closed" : "open";
  if (state !== "open" || sha === null) return { state, sha, checks: "none", review: "none", feedback: [] };
  const notes = await client.list(`/merge_requests/${id}/notes?sort=asc&order_by=created_at`, signal);
  const approvals = await client.one(`/merge_requests/${id}/approvals`, signal);
  const checks = await checksOf(client, asObject(pull.head_pipeline), sha, signal);
  const feedback: Feedback[] = [];
  for (const note of notes) {
    const said = text(note.body);
    if (note.system === true || said === null || note.resolved === true) continue;
    if (!(await client.isWriter(asObject(note.author)?.id, signal))) continue;
    const { new_path: path, new_line: line } = asObject(note.position) ?? {};
    const where = text(path) === null ? "" : `${text(path)}${typeof line === "number" ? `:${line}` : ""}: `;
    feedback.push({ id: `note ${String(note.id)}`, text: where + said });
  }
  const isApproved = asList(approvals.approved_by).length > 0 && isApprovedNow(notes);
  return {
    state,
    sha,
    checks: checks.state,
    review: isApproved ? "approved" : "none",
    feedback: [...checks.failures, ...feedback],
  };
}

/** True if the last approval came after the last commits: GitLab may keep approvals of what was there before. */
function isApprovedNow(notes: readonly JsonObject[]): boolean {
  const system = notes.filter((note) => note.system === true).map((note) => text(note.body) ?? "");
  const approved = system.findLastIndex((body) => body.startsWith("approved this merge request"));
  const pushed = system.findLastIndex((body) => /^added \d+ commits?/.test(body));
  return approved > pushed;
}

const running: ReadonlySet<unknown> = new Set([
  "created",
  "waiting_for_resource",
  "preparing",
  "pending",
  "running",
  "scheduled",
  "manual",
]);

async function checksOf(client: GitlabClient, pipeline: JsonObject | undefined, sha: string, signal?: AbortSignal) {
  // That of an earlier commit says nothing of this one.
  if (pipeline === undefined || pipeline.sha !== sha) return { state: "none", failures: [] } as const;
  if (running.has(pipeline.status)) return { state: "pending", failures: [] } as const;
  if (pipeline.status === "success" || pipeline.status === "skipped") return { state: "passed", failures: [] } as const;
  const jobs = await client.list(`/pipelines/${String(pipeline.id)}/jobs?scope[]=failed`, signal);
  const failures = jobs.map((job): Feedback => {
    const name = text(job.name) ?? "job";
    return { id: `check ${sha} ${name}`, text: `The job "${name}" failed. ${text(job.web_url) ?? ""}` };
  });
  const whole = {
    id: `check ${sha}`,
    text: `The pipeline ended as ${String(pipeline.status)}. ${text(pipeline.web_url) ?? ""}`,
  };
  return { state: "failed", failures: failures.length > 0 ? failures : [whole] } as const;
}
