import type { ThreadItem } from "@quire/protocol";

/** The smallest picture that can be told from none: 2 × 2 pixels. */
export const tinyPng: string =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8Dwn4GBgYGJAQoAHxcCAk+Uzr4AAAAASUVORK5CYII=";

const diff = `@@ -12,7 +12,8 @@ export class Queue<T> {
   readonly #limit: number;
 
   push(item: T): boolean {
-    if (this.#items.length > this.#limit) return false;
+    if (this.#items.length >= this.#limit) return false;
+    this.#changed.emit(item);
     this.#items.push(item);
     return true;
   }
@@ -40,4 +41,3 @@ export class Queue<T> {
   clear(): void {
-    // Nothing listens here.
     this.#items = [];
   }
`;

const answer = `The queue let **one item too many** in: the comparison used \`>\` where \`>=\` was meant.

### What I changed

1. \`push\` compares with \`>=\`, and tells listeners.
2. The comment in \`clear\` was wrong and is gone.

\`\`\`ts
const queue = new Queue<string>({ limit: 2 });
queue.push("a"); // true
queue.push("b"); // true
queue.push("c"); // false, was true before
\`\`\`

| case | before | after |
|---|:---:|---:|
| below the limit | yes | yes |
| at the limit | yes | no |

- [x] tests pass
- [ ] benchmark, see [the notes](https://example.com/notes) and [queue.ts](/work/app/src/queue.ts:15)

> Nothing else uses the old behaviour; I searched for it.`;

const output = [
  "\u001b[1mbun test\u001b[0m v1.4.4",
  "",
  "\u001b[32m✓\u001b[0m queue › takes items \u001b[2m[0.4ms]\u001b[0m",
  "\u001b[32m✓\u001b[0m queue › drops none \u001b[2m[0.2ms]\u001b[0m",
  "\u001b[31m✗\u001b[0m queue › refuses beyond its limit \u001b[2m[1.9ms]\u001b[0m",
  "  expected \u001b[32mfalse\u001b[0m, got \u001b[31mtrue\u001b[0m",
  "  \u001b[38;2;255;200;40mat\u001b[0m \u001b[36mqueue.test.ts\u001b[0m:\u001b[33m31\u001b[0m:\u001b[33m5\u001b[0m",
  "\u001b[30;43m 1 failed \u001b[0m \u001b[48;5;22m 2 passed \u001b[0m",
  "",
].join("\n");

/** One item of every kind that the protocol has, as a server of today sends it, and one that no page knows. */
export const sampleItems: readonly ThreadItem[] = [
  {
    type: "userMessage",
    id: "user",
    content: [
      { type: "text", text: "The queue takes one item more than its limit. Please fix it and run the tests." },
      { type: "mention", name: "queue.ts", path: "/work/app/src/queue.ts" },
      { type: "skill", name: "tidy-tests", path: "/work/app/.codex/skills/tidy-tests/SKILL.md" },
      { type: "image", url: `data:image/png;base64,${tinyPng}` },
      { type: "localImage", path: "/work/app/shot.png" },
    ],
  },
  {
    type: "reasoning",
    id: "reasoning",
    summary: ["**Looking for the limit**\n\nThe check is in `push`. I should read it first."],
    content: ["The raw thought: off by one, most likely."],
  },
  {
    type: "agentMessage",
    id: "commentary",
    text: "I read the queue and its tests first.",
    phase: "commentary",
  },
  {
    type: "commandExecution",
    id: "read",
    command: "bash -lc 'cat src/queue.ts'",
    commandActions: [{ type: "read", command: "cat src/queue.ts", name: "queue.ts", path: "/work/app/src/queue.ts" }],
    cwd: "/work/app",
    status: "completed",
    exitCode: 0,
    durationMs: 12,
    aggregatedOutput: "export class Queue<T> {}\n",
  },
  {
    type: "commandExecution",
    id: "search",
    command: "rg -n limit src",
    commandActions: [{ type: "search", command: "rg -n limit src", query: "limit", path: "src" }],
    cwd: "/work/app",
    status: "completed",
    exitCode: 0,
    aggregatedOutput: "src/queue.ts:12\n",
  },
  {
    type: "commandExecution",
    id: "command",
    command: "bash -lc 'bun test test/queue.test.ts --timeout 5000 && echo done'",
    commandActions: [{ type: "unknown", command: "bun test test/queue.test.ts --timeout 5000 && echo done" }],
    cwd: "/work/app/packages/core",
    status: "failed",
    exitCode: 1,
    durationMs: 2345,
    aggregatedOutput: output,
  },
  {
    type: "fileChange",
    id: "change",
    status: "completed",
    changes: [
      { path: "/work/app/src/queue.ts", kind: { type: "update", move_path: null }, diff },
      { path: "/work/app/docs/queue.md", kind: { type: "add" }, diff: "# Queue\n\nBounded, and says so.\n" },
    ],
  },
  {
    type: "mcpToolCall",
    id: "mcp",
    server: "tracker",
    tool: "find_issues",
    arguments: { query: "queue limit", state: "open" },
    status: "completed",
    durationMs: 410,
    result: {
      content: [{ type: "text", text: "Two issues: **#12** and **#31**." }],
      structuredContent: { ids: [12, 31] },
    },
  },
  {
    type: "mcpToolCall",
    id: "mcp-failed",
    server: "tracker",
    tool: "close_issue",
    arguments: { id: 12 },
    status: "failed",
    error: { message: "not allowed: sign in to the tracker first" },
  },
  {
    type: "dynamicToolCall",
    id: "dynamic",
    namespace: "editor",
    tool: "open_file",
    arguments: { path: "src/queue.ts", line: 15 },
    status: "completed",
    success: true,
    contentItems: [{ type: "inputText", text: "opened" }],
  },
  { type: "functionCallOutput", id: "output", name: "open_file", namespace: "editor", output: "closed by the user" },
  {
    type: "collabAgentToolCall",
    id: "collab",
    tool: "spawnAgent",
    status: "completed",
    senderThreadId: "thread",
    receiverThreadIds: ["child-1"],
    prompt: "Look for other users of the queue's limit and report them.",
    agentsStates: { "child-1": { status: "running", message: "Reading the worker pool." } },
  },
  {
    type: "subAgentActivity",
    id: "activity",
    agentPath: "/root/scout",
    agentThreadId: "child-1",
    kind: "completed",
    model: "gpt-5-mini",
  },
  {
    type: "webSearch",
    id: "web",
    query: "bounded queue semantics",
    action: { type: "search", query: "bounded queue semantics", queries: ["bounded queue semantics"] },
    results: [{ title: "Bounded queues", url: "https://example.com/queues" }],
  },
  { type: "imageView", id: "view", path: "/work/app/shot.png" },
  {
    type: "imageGeneration",
    id: "generated",
    status: "completed",
    result: tinyPng,
    revisedPrompt: "A queue of birds on a wire",
    savedPath: "/work/app/birds.png",
  },
  { type: "sleep", id: "sleep", durationMs: 3000 },
  { type: "hookPrompt", id: "hook", fragments: [{ hookRunId: "run", text: "Run the formatter before you end." }] },
  { type: "plan", id: "plan", text: "1. Read the queue\n2. Fix `push`\n3. Run the tests" },
  { type: "enteredReviewMode", id: "entered", review: "current changes" },
  { type: "exitedReviewMode", id: "exited", review: "**No findings.** The change does what it says." },
  { type: "contextCompaction", id: "compaction" },
  { type: "agentMessage", id: "agent", text: answer, phase: "final_answer" },
  // A server newer than this page.
  {
    type: "holodeckRun",
    id: "unknown",
    program: "Paris, 22 years ago",
    safety: { protocols: true },
  } as unknown as ThreadItem,
];

/** A diff of a whole turn, as git prints it. */
export const turnDiff: string = `diff --git a/src/queue.ts b/src/queue.ts
index 1111111..2222222 100644
--- a/src/queue.ts
+++ b/src/queue.ts
${diff}diff --git a/docs/queue.md b/docs/queue.md
new file mode 100644
--- /dev/null
+++ b/docs/queue.md
@@ -0,0 +1,2 @@
+# Queue
+Bounded.
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
`;
