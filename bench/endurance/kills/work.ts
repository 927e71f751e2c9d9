import { type RecordedRequest, type Reply, reply } from "@quire/testkit";

/** Lives long enough to be found, in the command's own session and in another without any of its environment. */
const leaving = "(env -i setsid sleep 21 &); sleep 21";

/** Kinds of turns, as the model is asked for them, and what it does then. */
const turns: Readonly<Record<string, () => Reply>> = {
  talk: () => reply().reasoning(["thinking"]).text("some words of an answer", { chunks: 6 }),
  quick: () => reply().functionCall("exec_command", { cmd: "echo one; echo two" }),
  slow: () => reply().functionCall("exec_command", { cmd: "sleep 21" }),
  leave: () => reply().functionCall("exec_command", { cmd: leaving }),
  background: () => reply().functionCall("exec_command", { cmd: leaving, yield_time_ms: 10 }),
  terminal: () => reply().functionCall("exec_command", { cmd: leaving, tty: true, yield_time_ms: 10 }),
  confined: () => reply().functionCall("exec_command", { cmd: leaving, yield_time_ms: 10 }),
  patch: () =>
    reply().functionCall("exec_command", {
      cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: made.txt\n+line\n*** End Patch\nEOF",
    }),
};

/** The names of the kinds. */
export const turnKinds: readonly string[] = Object.keys(turns);

/** Answers by the user's last message, whose first word is a kind. */
export function answer(request: RecordedRequest): Reply {
  if (request.body.input.at(-1)?.output !== undefined) return reply().text("done", { chunks: 2 });
  const kind = request.lastUserText.split(" ", 1)[0] ?? "";
  return (turns[kind] ?? turns.talk)?.() as Reply;
}

/** A hook that outlives its turn, on every prompt. */
export const hooks = {
  hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: leaving, async: true }] }] },
};

/** An MCP server that never answers, and has children. */
export const mcpToml = `[mcp_servers.silent]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(`(env -i setsid sleep 21 &); cat`)}]\n`;

/** The requests that run beside a turn. */
export const besides: Readonly<Record<string, (threadId: string) => [method: string, params: object]>> = {
  shell: (threadId) => ["thread/shellCommand", { threadId, command: leaving }],
  client: () => ["command/exec", { command: ["sh", "-c", leaving], sandboxPolicy: { type: "dangerFullAccess" } }],
  process: () => ["process/spawn", { command: ["sh", "-c", leaving], processHandle: "p" }],
  fork: (threadId) => ["thread/fork", { threadId }],
  compact: (threadId) => ["thread/compact/start", { threadId }],
  list: () => ["thread/list", {}],
};
