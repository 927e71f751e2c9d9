import type { ItemState, ThreadSettingsState, TurnState } from "@quire/client/view";
import type { CollaborationModeMask, FuzzyFileSearchResult, Model, ThreadItem } from "@quire/protocol";
import type { PendingRequest, Skill, ThreadState } from "../../src/state/model.ts";

/** Text that would run if it were taken for markup. */
export const hostile = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

export const settings: ThreadSettingsState = {
  model: "gpt-5.5",
  modelProvider: "openai",
  effort: "medium",
  sandbox: { type: "workspaceWrite", networkAccess: false },
  approvalPolicy: "on-request",
  approvalsReviewer: "user",
  mode: "default",
  cwd: "/home/ada/engine",
};

const efforts = [
  { reasoningEffort: "low", description: "Quick answers for simple things" },
  { reasoningEffort: "medium", description: "A balance for daily work" },
  { reasoningEffort: "high", description: "Thinks longer about hard problems" },
];

export const models: readonly Model[] = [
  { id: "gpt-5.5", description: "For most tasks", displayName: "GPT-5.5", isDefault: true },
  { id: "gpt-5.5-mini", description: "Faster and cheaper", displayName: "GPT-5.5 mini", isDefault: false },
  { id: "text-only", description: "Takes no images", displayName: "Text only", isDefault: false },
].map((model) => ({
  ...model,
  model: model.id,
  hidden: false,
  defaultReasoningEffort: "medium",
  supportedReasoningEfforts: efforts,
  inputModalities: model.id === "text-only" ? (["text"] as const).slice() : (["text", "image"] as const).slice(),
}));

export const modes: readonly CollaborationModeMask[] = [
  { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
  { name: "Default", mode: "default", model: null, reasoning_effort: null },
];

const file = (path: string, score: number): FuzzyFileSearchResult => ({
  path,
  root: settings.cwd,
  file_name: path.split("/").at(-1) ?? path,
  match_type: path.endsWith("/") ? "directory" : "file",
  score,
});

export const files: readonly FuzzyFileSearchResult[] = [
  file("src/engine.ts", 90),
  file("src/engine/mill.ts", 80),
  file("src/engine/", 70),
  file("test/engine.test.ts", 60),
];

export const skills: readonly Skill[] = [
  {
    name: "release",
    description: "Prepare a release: notes, version, tag",
    enabled: true,
    path: "/home/ada/.codex/skills/release/SKILL.md",
    scope: "user",
  },
  {
    name: "refactor",
    description: hostile,
    enabled: true,
    path: "/home/ada/engine/.codex/skills/refactor/SKILL.md",
    scope: "repo",
  },
];

const turn = (id: string, more: Partial<TurnState>): TurnState => ({
  id,
  status: "completed",
  error: null,
  startedAt: 1_763_000_000,
  completedAt: 1_763_000_060,
  durationMs: 60_000,
  diff: null,
  plan: null,
  usage: null,
  spent: null,
  itemIds: [],
  notices: [],
  hooks: [],
  ...more,
});

const patch =
  "@@ -1,4 +1,5 @@ export class Mill {\n   turn(): void {\n-    this.gear++;\n+    this.gear += 1;\n+    this.#report();\n   }\n }\n";

export const patchItem: ThreadItem = {
  type: "fileChange",
  id: "patch-1",
  status: "inProgress",
  changes: [{ path: "/home/ada/engine/src/engine/mill.ts", kind: { type: "update", move_path: null }, diff: patch }],
};

const done = (item: ThreadItem, turnId: string): ItemState => ({
  item,
  turnId,
  done: true,
  startedAtMs: null,
  completedAtMs: null,
  progress: null,
  clipped: false,
});

const readme: ThreadItem = {
  type: "fileChange",
  id: "patch-2",
  status: "completed",
  changes: [
    { path: "/home/ada/engine/README.md", kind: { type: "add" }, diff: "# Engine\n\nA mill and a store.\n" },
    { path: `/home/ada/engine/${hostile}`, kind: { type: "delete" }, diff: "old\n" },
  ],
};

const breakdown = {
  cachedInputTokens: 48_000,
  inputTokens: 71_204,
  outputTokens: 3_120,
  reasoningOutputTokens: 1_024,
  totalTokens: 74_324,
};

export const usage = {
  last: { ...breakdown, totalTokens: 214_000 },
  total: breakdown,
  modelContextWindow: 272_000,
};

export const thread: ThreadState = {
  summary: {
    key: { hub: "h1", thread: "t1" },
    name: "Oil the mill",
    preview: "Oil the mill",
    cwd: settings.cwd,
    status: "working",
    unread: false,
    forkedFrom: null,
    archived: false,
    parent: null,
    agentNickname: null,
    agentRole: null,
    model: "gpt-5.5",
    updatedAt: 1_763_000_060,
    createdAt: 1_763_000_000,
    branch: "main",
  },
  turns: [
    turn("turn-1", {
      diff: `diff --git a/src/engine/mill.ts b/src/engine/mill.ts\n--- a/src/engine/mill.ts\n+++ b/src/engine/mill.ts\n${patch}`,
      itemIds: ["patch-1", "patch-2"],
      plan: {
        explanation: "Small steps, tests in between.",
        steps: [
          { step: "Read the mill", status: "completed" },
          { step: "Report every turn of the gear", status: "inProgress" },
          { step: `Write the ${hostile} tests`, status: "pending" },
        ],
      },
    }),
  ],
  items: new Map([
    ["patch-1", done({ ...patchItem, status: "completed" } as ThreadItem, "turn-1")],
    ["patch-2", done(readme, "turn-1")],
  ]),
  pending: [],
  queue: null,
  usage,
  olderCursor: null,
  loadingOlder: false,
  loading: false,
  error: null,
  settings,
  notices: [],
  activeTurn: null,
  version: 1,
};

/** A question of the server. */
export function request(id: string, method: string, params: object): PendingRequest {
  const given = params as { readonly itemId?: string; readonly callId?: string };
  return {
    id,
    hub: "h1",
    threadId: "t1",
    turnId: "turn-1",
    itemId: given.itemId ?? given.callId ?? null,
    method,
    params: { threadId: "t1", turnId: "turn-1", ...params },
    answered: null,
  };
}
