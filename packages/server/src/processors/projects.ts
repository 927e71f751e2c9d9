import type { Project, ProjectListParams, ProjectRoot } from "@quire/protocol";
import type { Handlers } from "../context/processor.ts";
import type { ServerCore } from "../features/open-core.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidParams, invalidRequest } from "../lib/rpc-errors.ts";
import { toSeconds } from "../lib/seconds.ts";
import { newestThreads } from "../store/thread-store.ts";
import type { ProjectParts, StoredProject } from "../user-state/projects.ts";

const defaultPage = 100;

/** Projects that threads belong to. */
export const handlers: Handlers = {
  "project/create": async (params, { server }) => {
    const core = coreOf(server);
    const { project, isNew } = create(core, params);
    if (isNew) server.broadcast("project/changed", { projectId: project.id, changeType: "created" });
    return { project: await shown(core, project) };
  },

  "project/import": async (params, { server }) => {
    const core = coreOf(server);
    const threads = params.threads ?? [];
    for (const id of threads) if (!(await core.store.exists(id))) throw invalidParams(`thread not found: ${id}`);
    const { project, isNew } = create(core, params);
    if (isNew) {
      server.broadcast("project/changed", { projectId: project.id, changeType: "created" });
      for (const threadId of threads) {
        core.state.tables.placements.setProject(threadId, project.id);
        server.broadcast("thread/project/updated", { threadId, projectId: project.id });
      }
    }
    return { project: await shown(core, project) };
  },

  "project/read": async ({ projectId }, { server }) => {
    const core = coreOf(server);
    return { project: await shown(core, find(core, projectId)) };
  },

  "project/list": async (params, { server }) => list(coreOf(server), params),

  "project/update": async ({ projectId, name, roots, metadata }, { server }) => {
    const core = coreOf(server);
    const before = find(core, projectId);
    const parts = {
      name: (name ?? null) === null ? before.name : checkedName(name ?? ""),
      roots: checkedRoots(roots ?? before.roots),
      metadata: metadata ?? before.metadata,
    };
    const { name: was, roots: wereIn, metadata: had } = before;
    if (Bun.deepEquals(parts, { name: was, roots: wereIn, metadata: had }))
      return { project: await shown(core, before) };
    const project = core.state.tables.projects.update(projectId, parts);
    server.broadcast("project/changed", { projectId, changeType: "updated" });
    return { project: await shown(core, project) };
  },

  "project/move": ({ projectId, beforeProjectId }, { server }) => {
    const core = coreOf(server);
    find(core, projectId);
    const before = beforeProjectId ?? null;
    if (before === projectId) throw invalidParams(`project ${projectId} cannot be moved before itself`);
    const { projects } = core.state.tables;
    if (before !== null && !projects.get(before)) throw invalidParams(`before project not found: ${before}`);
    projects.move(projectId, before);
    server.broadcast("project/changed", { projectId, changeType: "updated" });
    return {};
  },

  "project/delete": ({ projectId }, { server }) => {
    const core = coreOf(server);
    find(core, projectId);
    const threads = core.state.tables.placements.inProject(projectId);
    core.state.tables.projects.delete(projectId);
    server.broadcast("project/changed", { projectId, changeType: "deleted" });
    for (const threadId of threads) server.broadcast("thread/project/updated", { threadId, projectId: null });
    return {};
  },
};

interface NewProject {
  readonly idempotencyKey: string;
  readonly name: string;
  readonly roots: readonly ProjectRoot[];
  readonly metadata?: { [key: string]: string } | null | undefined;
}

/** Makes a project, once for each key: repeating the request returns the same one. */
function create(core: ServerCore, params: NewProject): { project: StoredProject; isNew: boolean } {
  if (params.idempotencyKey === "") throw invalidParams("idempotencyKey must not be empty");
  const parts: ProjectParts = {
    name: checkedName(params.name),
    roots: checkedRoots(params.roots),
    metadata: params.metadata ?? {},
  };
  const { projects } = core.state.tables;
  const known = projects.byKey(params.idempotencyKey);
  if (known === "deleted") throw invalidParams(`idempotency key refers to deleted project: ${params.idempotencyKey}`);
  return known
    ? { project: known, isNew: false }
    : { project: projects.create(params.idempotencyKey, parts), isNew: true };
}

async function list(core: ServerCore, { cursor, limit, sortKey, sortDirection }: ProjectListParams) {
  const key = sortKey ?? null;
  if (key === null && sortDirection) throw invalidParams("sortDirection requires sortKey");
  const all = await Promise.all((core.state.existing?.projects.list() ?? []).map((project) => shown(core, project)));
  const step = (sortDirection ?? (key === "recencyAt" ? "desc" : "asc")) === "asc" ? 1 : -1;
  const rank = (project: Project) => (key === "recencyAt" ? (project.recencyAt ?? 0) : project.position);
  const mark = (project: Project) => `${rank(project)}|${project.id}`;
  const sorted = all.sort((a, b) => step * (rank(a) - rank(b) || (a.id < b.id ? -1 : 1)));
  const from = cursor ?? null;
  const at = from === null ? 0 : sorted.findIndex((project) => mark(project) === from) + 1;
  if (from !== null && at === 0) throw invalidParams("invalid project cursor: malformed or mismatched sort anchor");
  const data = sorted.slice(at, at + Math.max(1, limit ?? defaultPage));
  const last = data.at(-1);
  return { data, nextCursor: last && at + data.length < sorted.length ? mark(last) : null };
}

/** A project with the last use of its threads. */
async function shown(core: ServerCore, project: StoredProject): Promise<Project> {
  const threadIds = core.state.tables.placements.inProject(project.id);
  const [latest] = threadIds.length === 0 ? [] : await latestOf(core, threadIds);
  return { ...project, recencyAt: latest ? toSeconds(latest.updatedAtMs) : null };
}

async function latestOf(core: ServerCore, threadIds: readonly string[]) {
  const { threads } = await core.store.list({ ...newestThreads, threadIds, limit: 1, sortKey: "recency_at" });
  return threads;
}

function find(core: ServerCore, projectId: string): StoredProject {
  const project = core.state.existing?.projects.get(projectId);
  if (!project) throw invalidParams(`project not found: ${projectId}`);
  return project;
}

function checkedName(given: string): string {
  const name = given.trim();
  if (name === "") throw invalidParams("project name must not be empty");
  return name;
}

function checkedRoots(roots: readonly ProjectRoot[]): readonly ProjectRoot[] {
  const twice = roots.find(({ path }, index) => roots.findIndex((root) => root.path === path) < index);
  if (twice) throw invalidParams(`duplicate project root: ${twice.path}`);
  const relative = roots.find(({ path }) => !path.startsWith("/"));
  if (relative) throw invalidRequest(`Invalid request: project roots must be absolute paths: ${relative.path}`);
  return roots;
}
