/**
 * An app-server for tests, as a process: `bun fake-agent.ts BEHAVIOUR`. It writes down what it receives and where it
 * runs in `wire.jsonl` of its folder, one line each.
 */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

type Message = {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
};

const [behaviour = "done"] = process.argv.slice(2);
const note = (value: unknown) => appendFileSync("wire.jsonl", `${JSON.stringify(value)}\n`);
const send = (message: unknown) => void process.stdout.write(`${JSON.stringify(message)}\n`);
const threadId = "thread-1";
let turns = 0;
let asked = 100;
/** An id of this side: numbers, unless the behaviour asks with texts. */
const nextId = () => (behaviour === "texts" ? `ask-${asked++}` : asked++);
const answers = new Map<number | string, (message: Message) => void>();

const ask = (method: string, params: object): Promise<Message> => {
  const id = nextId();
  send({ id, method, params: { threadId, turnId: turnId(), ...params } });
  return new Promise((resolve) => answers.set(id, resolve));
};
const turnId = () => `turn-${turns}`;
const callTool = (name: string, input: object) =>
  ask("item/tool/call", { callId: `call-${turns}`, tool: name, arguments: input });
const complete = (status = "completed", error: object | null = null) =>
  send({ method: "turn/completed", params: { threadId, turn: { id: turnId(), items: [], status, error } } });
const usage = (total: number) => {
  const counts = {
    inputTokens: total - 10,
    cachedInputTokens: 0,
    outputTokens: 10,
    reasoningOutputTokens: 0,
    totalTokens: total,
  };
  send({
    method: "thread/tokenUsage/updated",
    params: { threadId, turnId: turnId(), tokenUsage: { total: counts, last: counts } },
  });
};
const forever = new Promise<never>(() => setInterval(() => {}, 1000));

const turnBehaviours: Record<string, (prompt: string) => Promise<void> | void> = {
  async done() {
    await callTool("finish", {});
    complete();
  },
  /** Is done in its third turn. */
  async third() {
    if (turns === 3) await callTool("finish", {});
    complete();
  },
  noop: () => complete(),
  /** Uses tokens, and does not come to an end. */
  spend: () => {
    usage(250);
    return forever;
  },
  /** Writes a file in each of its turns, as the part of the prompt names it, and hands over. */
  async work(prompt) {
    note({ prompt });
    const name = /needs changes/.test(prompt) ? "reworked.txt" : "made.txt";
    writeFileSync(name, `${prompt.length}\n`);
    await callTool("finish", { state: "Review" });
    send({
      method: "item/completed",
      params: { threadId, turnId: turnId(), item: { type: "agentMessage", id: `m${turns}`, text: `I made ${name}.` } },
    });
    complete();
  },
  /** The same, and uses 1,490 tokens of input and 10 of output. */
  "work-tokens": (prompt) => {
    usage(1500);
    return turnBehaviours.work?.(prompt);
  },
  /** Writes a file in its first run, and does not come to an end in the next. */
  async "work-twice"() {
    if (existsSync("made.txt")) return forever;
    writeFileSync("made.txt", "1\n");
    complete();
  },
  /** Writes to a file that others write to as well, when somebody puts the file `go` into its folder. */
  async "work-readme"() {
    while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 5));
    writeFileSync("readme.txt", `By the agent, ${turns}\n`);
    await callTool("finish", { state: "Review" });
    complete();
  },
  /** Has git lead elsewhere and start programs by the configuration of its workspace. */
  async "evil-config"() {
    const set = (name: string, value: string) => Bun.spawnSync(["git", "config", name, value]);
    set("url.file:///nowhere/.insteadOf", "/");
    for (const name of ["core.fsmonitor", "core.sshCommand", "credential.helper", "gpg.program"])
      set(name, "touch ran");
    set("commit.gpgSign", "true");
    set("core.hooksPath", ".");
    writeFileSync("pre-commit", "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
    await callTool("finish", { state: "Review" });
    complete();
  },
  /** Hands its issue over, and has more to say when somebody puts the file `go` into its folder. */
  async "hand-over"() {
    await callTool("finish", { state: "Review" });
    while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 5));
    complete();
  },
  /** Is done when somebody puts the file `go` into its folder. */
  async wait() {
    while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 5));
    await callTool("finish", {});
    complete();
  },
  chatty: () => {
    for (let line = 0; line < 250; line++) send({ method: "warning", params: { threadId, message: `line ${line}` } });
    complete();
  },
  async texts() {
    note({ answer: await callTool("finish", {}) });
    complete();
  },
  early: () => complete(),
  hang: () => forever,
  exit: () => process.exit(7),
  fail: () => complete("failed", { message: "the model is gone", codexErrorInfo: null, additionalDetails: null }),
  "turn-failed": () => send({ method: "turn/failed", params: { message: "no luck" } }),
  "turn-cancelled": () => send({ method: "turn/cancelled", params: { reason: "not now" } }),
  bare: () => send({ method: "turn/completed" }),
  interrupted: () => complete("interrupted"),
  async approval() {
    note({
      answer: await ask("item/commandExecution/requestApproval", {
        itemId: "i1",
        command: "rm -rf x",
        cwd: "/",
        reason: null,
        startedAtMs: 0,
      }),
    });
    await callTool("finish", {});
    complete();
  },
  async legacy() {
    note({
      answer: await ask("execCommandApproval", {
        conversationId: threadId,
        callId: "c1",
        command: ["ls"],
        cwd: "/",
        parsedCmd: [],
        reason: null,
      }),
    });
    note({
      answer: await ask("applyPatchApproval", {
        conversationId: threadId,
        callId: "c2",
        fileChanges: {},
        reason: null,
        grantRoot: null,
      }),
    });
    note({
      answer: await ask("item/fileChange/requestApproval", {
        itemId: "i2",
        reason: null,
        grantRoot: null,
        startedAtMs: 0,
      }),
    });
    complete();
  },
  async input() {
    const options = [
      { label: "Approve Once", description: "" },
      { label: "Approve this Session", description: "" },
    ];
    const question = { header: "", isOther: false, isSecret: false };
    note({
      answer: await ask("item/tool/requestUserInput", {
        itemId: "call-717",
        questions: [{ ...question, id: "mcp_tool_call_approval_call-717", question: "May I?", options }],
      }),
    });
    note({
      answer: await ask("item/tool/requestUserInput", {
        itemId: "i4",
        questions: [{ ...question, id: "freeform-718", question: "Why?", options: null }],
      }),
    });
    complete();
  },
  async elicit() {
    note({
      answer: await ask("mcpServer/elicitation/request", {
        serverName: "mcp",
        mode: "form",
        message: "Which?",
        requestedSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        _meta: null,
      }),
    });
    await forever;
  },
  needs: () => {
    send({ method: "turn/input_required", params: { threadId, turnId: turnId() } });
    return forever;
  },
  async unsupported() {
    note({ answer: await callTool("no_such_tool", {}) });
    complete();
  },
  async odd() {
    process.stderr.write('{"id":3,"result":{}}\nnot for you\n');
    process.stdout.write("this is no JSON\n[1,2\n");
    send({ method: "something/unheard", params: { a: 1 } });
    const line = `${JSON.stringify({ method: "warning", params: { threadId, message: "x".repeat(200_000) } })}\n`;
    for (let at = 0; at < line.length; at += 50_000) {
      process.stdout.write(line.slice(at, at + 50_000));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    complete();
  },
  big: () => {
    process.stdout.write(`"${"x".repeat(11 * 1024 * 1024)}"\n`);
    return forever;
  },
  tokens: () => {
    usage(100);
    usage(100);
    usage(250);
    send({
      method: "codex/event/token_count",
      params: {
        conversationId: threadId,
        msg: {
          info: {
            total_token_usage: { input_tokens: 290, output_tokens: 10, total_tokens: 300 },
            last_token_usage: { input_tokens: 9000, output_tokens: 10, total_tokens: 9010 },
          },
        },
      },
    });
    send({
      method: "account/rateLimits/updated",
      params: { rateLimits: { primary: { usedPercent: 42, windowDurationMins: 300, resetsAt: null } } },
    });
    complete();
  },
  /** Leaves a process behind that ignores the end of its parent. */
  child: () => {
    Bun.spawn(["sh", "-c", "trap '' HUP TERM; sleep 1000"], { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    return forever;
  },
};

/** `ask:{"method": …, "params": …}`: asks just that, and notes the answer. */
async function askAsTold(): Promise<void> {
  const { method, params } = JSON.parse(behaviour.slice("ask:".length)) as { method: string; params: object };
  note({ answer: await ask(method, params) });
  complete();
}

const requests: Record<string, (message: Message) => unknown> = {
  initialize: () => ({ userAgent: "fake/0.166.0", codexHome: "/", platformFamily: "unix", platformOs: "linux" }),
  "thread/start": () => ({ thread: { id: threadId } }),
  "thread/resume": ({ params }) => ({ thread: { id: params?.threadId } }),
  "thread/name/set": () => ({}),
  "turn/interrupt": () => ({}),
  "turn/start": ({ params }) => {
    turns++;
    if (behaviour === "early") {
      usage(70);
      send({ method: "something/unheard", params: { threadId } });
    }
    const [input] = (params?.input ?? []) as { text: string }[];
    const play = behaviour.startsWith("ask:") ? askAsTold : (turnBehaviours[behaviour] ?? turnBehaviours.done);
    setTimeout(() => void play?.(input?.text ?? ""), 0);
    return { turn: { id: turnId() } };
  },
};

function receive(message: Message): void {
  note(message);
  const { id, method } = message;
  if (id === undefined) return;
  if (method === undefined) answers.get(id)?.(message);
  else if (behaviour === `error:${method}`) send({ id, error: { code: -32600, message: "I would rather not" } });
  else if (behaviour === `empty:${method}`) send({ id, result: {} });
  else if (behaviour !== `silent:${method}`) {
    const reply = requests[method];
    send(reply ? { id, result: reply(message) } : { id, error: { code: -32601, message: "unknown" } });
  }
}

note({
  started: process.pid,
  cwd: process.cwd(),
  secret: process.env.TEST_SECRET ?? null,
  run: process.env.QUIRE_RUN,
  parent: process.ppid,
});
if (behaviour === "exit-first") process.exit(3);
let text = "";
for await (const chunk of Bun.stdin.stream()) {
  text += new TextDecoder().decode(chunk);
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
    receive(JSON.parse(text.slice(0, end)) as Message);
    text = text.slice(end + 1);
  }
}
if (behaviour === "child" || behaviour === "stubborn") await forever;
process.exit(0);
