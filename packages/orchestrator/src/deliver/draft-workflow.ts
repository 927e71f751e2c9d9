import { stringify } from "yaml";
import type { MergeRule } from "../workflow/deliver-config.ts";
import type { RepositoryFacts } from "../workspace/inspect-repository.ts";

/** Answers to the questions of a new workflow. */
export interface WorkflowAnswers {
  readonly tracker: "folder" | "github" | "gitlab" | "linear" | "jira";
  /**
   * Of `github`: `owner/name`. Of `gitlab`: `group/project`, or its address. Of `linear`: the team's key. Of `jira`: the
   * project's address, which ends in its key.
   */
  readonly scope: string | null;
  readonly repository: RepositoryFacts;
  readonly merge: MergeRule;
  /** Use the offline model, to try it all without a key. */
  readonly isOffline: boolean;
}

interface TrackerDraft {
  readonly settings: object;
  readonly states: Readonly<Record<string, string>>;
}

/** The text of a workflow file whose hooks, sandbox and states work together. */
export function draftWorkflow({ tracker, scope, repository, merge, isOffline }: WorkflowAnswers): string {
  const { settings, states } = trackers[tracker](scope);
  const { merging, ...without } = states;
  const forge = repository.forge;
  const front = {
    tracker: { kind: tracker, ...settings },
    hooks: hooksFor(repository),
    agent: { max_concurrent_agents: isOffline ? 2 : 5 },
    codex: {
      command: isOffline ? 'quire app-server -c model_provider="offline"' : "quire app-server",
      approval_policy: "never",
      thread_sandbox: "workspace-write",
    },
    deliver: {
      to: forge?.kind ?? "folder",
      ...(forge?.kind === "github" && { provider: { repo: forge.name } }),
      ...(forge?.kind === "gitlab" && { provider: { project: forge.name } }),
      ...(forge === null && { provider: { path: "pulls" }, remote: repository.remote }),
      base: repository.base,
      hand_over: "run",
      merge,
      states: merge === "never" || merging === undefined ? without : states,
    },
    budget: { per_issue: { runs: 10 }, same_failures: 5 },
  };
  return `---\n${stringify(front, { lineWidth: 0 })}---\n${isOffline ? offlinePrompt : prompt}`;
}

const trackers: Readonly<Record<WorkflowAnswers["tracker"], (scope: string | null) => TrackerDraft>> = {
  folder: () => ({
    settings: {
      provider: { path: "issues", states: ["Review"] },
      active_states: ["Todo", "Rework"],
      terminal_states: ["Done", "Cancelled"],
    },
    states: { review: "Review", rework: "Rework", merging: "Merging", done: "Done" },
  }),
  github: (repo) => ({
    settings: {
      provider: {
        ...(repo !== null && { repo }),
        state_labels: {
          Merging: "quire:merging",
          Review: "quire:review",
          Rework: "quire:rework",
          Todo: "quire:todo",
        },
      },
      active_states: ["Todo", "Rework"],
      terminal_states: ["closed"],
    },
    states: { review: "Review", rework: "Rework", merging: "Merging", done: "closed" },
  }),
  gitlab: (scope) => ({
    settings: {
      provider: {
        ...placeOf(scope, "project"),
        state_labels: {
          Merging: "quire::merging",
          Review: "quire::review",
          Rework: "quire::rework",
          Todo: "quire::todo",
        },
      },
      active_states: ["Todo", "Rework"],
      terminal_states: ["closed"],
    },
    states: { review: "Review", rework: "Rework", merging: "Merging", done: "closed" },
  }),
  jira: (scope) => ({
    settings: {
      provider: {
        ...placeOf(scope?.replace(/^(https?:\/\/[^/]+)\/.*\//, "$1/") ?? null, "project"),
        email: "$JIRA_EMAIL",
      },
      active_states: ["To Do", "In Progress"],
      terminal_states: ["Done"],
    },
    states: { review: "In Review", rework: "In Progress", done: "Done" },
  }),
  linear: (team) => ({
    settings: {
      provider: { ...(team !== null && { team_key: team }) },
      active_states: ["Todo", "In Progress"],
      terminal_states: ["Done", "Canceled", "Duplicate"],
    },
    states: { review: "In Review", rework: "In Progress", done: "Done" },
  }),
};

/** The server of an address, where it is one, and the rest by this name. */
function placeOf(scope: string | null, name: string): object {
  const [, url, rest] = /^(https?:\/\/[^/]+)\/(.+?)\/?$/.exec(scope ?? "") ?? [];
  if (url !== undefined) return { url, [name]: rest };
  return scope === null ? {} : { [name]: scope };
}

function hooksFor({ kind, location, base }: RepositoryFacts): object {
  const place = `'${location.replaceAll("'", "'\\''")}'`;
  if (kind === "remote")
    return { after_create: `git clone --quiet --branch '${base}' -- ${place} .`, timeout_ms: 300_000 };
  return {
    after_create: `git -C ${place} fetch --quiet origin\n"$QUIRE" worktree ${place} --from 'origin/${base}'\n`,
    before_remove: '"$QUIRE" worktree --remove',
    timeout_ms: 300_000,
  };
}

const prompt = `You work on {{ issue.identifier }}: {{ issue.title }}

{{ issue.description }}
{% if attempt %}
This is attempt {{ attempt }}: look at what is there already.
{% endif %}
Work in the current folder, a checkout of the repository. Read its instructions for contributors first. Make the change, add
tests, and run the checks of the project. Your changes are committed, pushed and offered as a pull request for you: use no
remote. End with a summary in a few sentences: what you changed, why, and how you checked it.
`;

/** The offline model follows plain lines. */
const offlinePrompt = `{{ issue.description }}
`;
