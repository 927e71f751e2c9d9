import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tool, ToolContext } from "@quire/client";
import { callTool } from "@quire/client/tools";
import { tempDir } from "@quire/testkit";
import type { LogFields, LogLevel } from "../../src/events/events.ts";
import type { TrackerConfig } from "../../src/tracker/adapter.ts";
import type { Tracker } from "../../src/tracker/tracker.ts";
import { trackerAdapters } from "../../src/trackers/adapters.ts";
import { fakeBdFolder } from "./bd-folder.ts";
import { type FakeGithub, fakeGithub, fakeToken, type GithubRecord } from "./fake-github.ts";
import { fakeGithubProject } from "./fake-github-project.ts";
import { gitlabToken } from "./fake-gitlab.ts";
import { fakeGitlabIssues, type GitlabRecord } from "./fake-gitlab-issues.ts";
import { fakeJira, type JiraRecord, jiraEmail, jiraToken } from "./fake-jira.ts";
import { type FakeLinear, fakeKey, fakeLinear, type LinearRecord } from "./fake-linear.ts";

/** A line that a tracker wrote to the log. */
export interface LoggedLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** How a tracker is made for a test. */
export interface TrackerSetup {
  readonly provider?: Readonly<Record<string, unknown>>;
  readonly activeStates?: readonly string[];
  readonly requiredLabels?: readonly string[];
  readonly terminalStates?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly baseDir?: string;
}

/** Makes a tracker of a kind as the service does, with its log collected. */
export function makeTracker(kind: string, setup: TrackerSetup = {}): { tracker: Tracker; log: LoggedLine[] } {
  const adapter = trackerAdapters[kind];
  if (!adapter) throw new Error(`No adapter ${kind}`);
  const log: LoggedLine[] = [];
  const config: TrackerConfig = {
    kind,
    provider: setup.provider ?? {},
    requiredLabels: setup.requiredLabels ?? [],
    activeStates: setup.activeStates ?? adapter.profile.defaultActiveStates ?? [],
    terminalStates: setup.terminalStates ?? adapter.profile.defaultTerminalStates ?? [],
  };
  const tracker = adapter.create(config, {
    baseDir: setup.baseDir ?? "/nowhere",
    env: setup.env ?? {},
    log: (level, message, fields = {}) => log.push({ level, message, fields }),
  });
  return { tracker, log };
}

/** GitHub's adapter on a fake server. */
export function githubUnderTest(issues: GithubRecord[] = [], setup: TrackerSetup = {}) {
  const server: FakeGithub = fakeGithub(issues);
  const provider = { repo: "acme/app", api_url: server.url, ...setup.provider };
  const made = makeTracker("github", { ...setup, provider, env: { GITHUB_TOKEN: fakeToken, ...setup.env } });
  return { ...made, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Linear's adapter on a fake server. */
export function linearUnderTest(issues: LinearRecord[] = [], setup: TrackerSetup = {}) {
  const server: FakeLinear = fakeLinear(issues);
  const provider = { project_slug: "app-123", endpoint: server.url, ...setup.provider };
  const made = makeTracker("linear", { ...setup, provider, env: { LINEAR_API_KEY: fakeKey, ...setup.env } });
  return { ...made, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** GitLab's adapter on a fake server. */
export function gitlabUnderTest(issues: GitlabRecord[] = [], setup: TrackerSetup = {}) {
  const server = fakeGitlabIssues(issues);
  const provider = { project: "acme/tools/app", url: server.url, ...setup.provider };
  const made = makeTracker("gitlab", { ...setup, provider, env: { GITLAB_TOKEN: gitlabToken, ...setup.env } });
  return { ...made, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Jira's adapter on a fake server. */
export function jiraUnderTest(issues: JiraRecord[] = [], setup: TrackerSetup = {}) {
  const server = fakeJira(issues);
  const provider = { project: "app", url: server.url, email: jiraEmail, ...setup.provider };
  const made = makeTracker("jira", { ...setup, provider, env: { JIRA_API_TOKEN: jiraToken, ...setup.env } });
  return { ...made, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The adapter of a project on GitHub, on a fake server. */
export function projectUnderTest(setup: TrackerSetup = {}) {
  const server = fakeGithubProject();
  const provider = { repo: "acme/app", api_url: server.url, project: 5, ...setup.provider };
  const made = makeTracker("github_project", { ...setup, provider, env: { GITHUB_TOKEN: fakeToken, ...setup.env } });
  return { ...made, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The adapter of beads, on a fake of its program. */
export async function beadsUnderTest(issues: readonly Record<string, unknown>[] = [], setup: TrackerSetup = {}) {
  const folder = await fakeBdFolder(issues);
  const provider = { path: folder.path, command: folder.command, ...setup.provider };
  const made = makeTracker("beads", { ...setup, provider, env: { PATH: process.env.PATH ?? "" } });
  return { ...made, folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** The folder's adapter on a folder of its own, with these files in it. */
export async function folderUnderTest(files: Readonly<Record<string, string>> = {}, setup: TrackerSetup = {}) {
  const dir = await tempDir("quire-folder-tracker-");
  const folder = join(dir.path, "issues");
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const made = makeTracker("folder", { ...setup, baseDir: dir.path });
  return { ...made, dir: dir.path, folder, [Symbol.asyncDispose]: () => dir.remove() };
}

/** An issue's file. */
export function issueFile(front: Readonly<Record<string, unknown>>, body = ""): string {
  const lines = Object.entries(front).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}

/** Calls a tool as a session does, and gives its text. */
export async function useTool(tools: readonly Tool[], name: string, input: unknown) {
  const context = { callId: "call-1", threadId: "t", turnId: "u" } satisfies Omit<ToolContext, "signal">;
  const params = { ...context, tool: name, namespace: null, arguments: input };
  const { success, contentItems } = await callTool(
    tools,
    params as Parameters<typeof callTool>[1],
    new AbortController().signal,
  );
  const [item] = contentItems;
  return { success, text: item?.type === "inputText" ? item.text : "" };
}
