import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@quire/client";
import { tempDir } from "@quire/testkit";
import type { TokenCounts } from "../../src/events/snapshot.ts";
import { AgentSession, type SessionOptions } from "../../src/session/agent-session.ts";
import { addTokens, noTokens } from "../../src/session/token-meter.ts";
import type { CodexConfig } from "../../src/workflow/config.ts";
import { fakeAgent, type Wire } from "./place.ts";

/** How a session under test is set up. */
export interface SessionSetUp {
  readonly behaviour?: string;
  readonly codex?: Partial<CodexConfig>;
  readonly options?: Partial<SessionOptions>;
  readonly tools?: readonly Tool[];
}

/** A session's surroundings, with everything that it told. */
export interface SessionStage extends AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  readonly events: { readonly kind: string; readonly message: string; readonly name: string | undefined }[];
  readonly ids: (string | null)[][];
  readonly stop: AbortController;
  readonly told: { tokens: TokenCounts; rateLimits: unknown; stderr: string; pid: number };
  /** Starts the session; it is closed with the stage. */
  start(more?: Partial<SessionOptions>): Promise<AgentSession>;
  wire(): Wire[];
  kinds(): string[];
}

/** Sets a session up, not started yet. */
export async function sessionStage({
  behaviour = "noop",
  codex,
  options,
  tools = [],
}: SessionSetUp = {}): Promise<SessionStage> {
  const dir = await tempDir("quire-session-");
  const root = join(dir.path, "root");
  const workspace = join(root, "A");
  mkdirSync(workspace, { recursive: true });
  const events: SessionStage["events"] = [];
  const ids: SessionStage["ids"] = [];
  const told: SessionStage["told"] = { tokens: noTokens, rateLimits: null, stderr: "", pid: 0 };
  const stop = new AbortController();
  const opened: AgentSession[] = [];
  const config: CodexConfig = {
    command: "",
    approvalPolicy: "never",
    threadSandbox: "workspace-write",
    turnSandboxPolicy: undefined,
    autoApprove: ["mcp_tools"],
    turnTimeoutMs: 60_000,
    readTimeoutMs: 30_000,
    stallTimeoutMs: 0,
    ...codex,
  };
  return {
    root,
    workspace,
    events,
    ids,
    stop,
    told,
    async start(more) {
      const session = await AgentSession.start({
        command: fakeAgent(behaviour),
        workspace,
        root,
        // Login shells read the files of a home: not those of whoever runs the tests.
        env: { ...process.env, HOME: dir.path },
        config,
        tools,
        title: "A-1: A title",
        signal: stop.signal,
        observer: {
          event: (kind, message, name) => events.push({ kind, message, name }),
          activity: () => {},
          usage: (delta) => {
            told.tokens = addTokens(told.tokens, delta);
          },
          rateLimits: (limits) => {
            told.rateLimits = limits;
          },
          process: (pid) => {
            told.pid = pid;
          },
          ids: (...both) => ids.push(both),
          stderr: (text) => {
            told.stderr += text;
          },
        },
        ...options,
        ...more,
      });
      opened.push(session);
      return session;
    },
    wire() {
      const file = join(workspace, "wire.jsonl");
      return existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [];
    },
    kinds: () => events.map(({ kind }) => kind),
    async [Symbol.asyncDispose]() {
      for (const session of opened) await session.close();
      await dir.remove();
    },
  };
}
