import { join } from "node:path";
import type { CommandExecutionThreadItem, ThreadItem } from "@quire/protocol";
import { eventually } from "@quire/testkit";
import { Approvals } from "../../src/approval/approvals.ts";
import type { ToolContext } from "../../src/approval/tool-context.ts";
import type { EffectiveConfig } from "../../src/config/effective-config.ts";
import type { ToolCall } from "../../src/record/tool-call.ts";
import type { TurnSettings } from "../../src/record/turn-settings.ts";
import { createToolbox, type Toolbox, type ToolboxOptions } from "../../src/tools/toolbox.ts";
import { providerRow } from "../model/recording-sink.ts";
import { settingsIn } from "../support/settings.ts";

/** Something a tool told its thread. */
export interface Told {
  readonly what: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was told
  readonly value: any;
}

/** A thread that writes down what its tools tell it, and answers as it is told to. */
export class FakeThread {
  readonly told: Told[] = [];
  readonly abort: AbortController = new AbortController();
  readonly toolbox: Toolbox;
  readonly approvals: Approvals;
  readonly settings: TurnSettings;
  /** Answers what tools ask. */
  answer: (method: string, params: unknown) => Promise<unknown> = () => new Promise(() => undefined);
  #calls = 0;

  constructor(cwd: string, options: Partial<ToolboxOptions> & { settings?: Partial<TurnSettings> } = {}) {
    this.settings = { ...settingsIn(cwd), ...options.settings };
    const env = { PATH: process.env.PATH, HOME: cwd };
    this.approvals = new Approvals({
      home: join(cwd, "home"),
      env,
      warn: (problem) => this.told.push({ what: "warn", value: problem }),
    });
    this.toolbox = createToolbox({
      threadId: crypto.randomUUID(),
      config: fakeConfig(),
      dynamicTools: [],
      // The developer's own profile may be slow or loud.
      env: { ...process.env, HOME: cwd },
      ...options,
    });
  }

  context(): ToolContext {
    const note = (what: string, value: unknown) => void this.told.push({ what, value });
    return {
      threadId: "thread",
      turnId: "turn",
      settings: this.settings,
      signal: this.abort.signal,
      startItem: (item) => note("started", item),
      completeItem: (item) => note("completed", item),
      completeLate: (item) => note("late", item),
      notify: (method, params) => note(method, params),
      approvals: this.approvals,
      hold: (flag) => {
        note("hold", flag);
        return () => note("release", flag);
      },
      remark: (text) => note("remark", text),
      interrupt: (why) => {
        note("interrupt", why);
        this.abort.abort(new Error(why));
      },
      ask: (method, params) => this.#ask(method, params) as never,
    };
  }

  async #ask(method: string, params: unknown): Promise<unknown> {
    this.told.push({ what: method, value: params });
    const aborted = Promise.withResolvers<never>();
    const stop = () => aborted.reject(this.abort.signal.reason);
    this.abort.signal.addEventListener("abort", stop);
    return Promise.race([this.answer(method, params), aborted.promise]);
  }

  /** Calls a function tool; gives what the model is told. */
  // biome-ignore lint/suspicious/noExplicitAny: either text or content items
  async call(name: string, args: object | string, more: Partial<ToolCall> = {}): Promise<any> {
    const call: ToolCall = {
      kind: "function",
      callId: `call-${++this.#calls}`,
      namespace: null,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
      ...more,
    };
    const tool = this.toolbox.find(call);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.run(call, this.context());
  }

  /** What the model is told of a command that failed to be one. */
  async failure(name: string, args: object | string, more: Partial<ToolCall> = {}): Promise<string> {
    try {
      await this.call(name, args, more);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("did not fail");
  }

  /** All that was told of one kind. */
  // biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was told
  all(what: string): any[] {
    return this.told.filter((entry) => entry.what === what).map(({ value }) => value);
  }

  /** Waits for an item that ends after its call. */
  async late(): Promise<CommandExecutionThreadItem> {
    return eventually(() => this.all("late")[0] as CommandExecutionThreadItem | undefined);
  }

  /** The items that ended, by id. */
  ended(): Map<string, ThreadItem> {
    return new Map([...this.all("completed"), ...this.all("late")].map((item: ThreadItem) => [item.id, item]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.toolbox.close();
  }
}

/** A configuration in which only what tools look at is set. */
export function fakeConfig(raw: Readonly<Record<string, unknown>> = {}): EffectiveConfig {
  return {
    model: "mock",
    modelProvider: "mock",
    effort: null,
    summary: null,
    approvalPolicy: "never",
    approvalsReviewer: "user",
    sandboxPolicy: { type: "dangerFullAccess" },
    personality: null,
    serviceTier: null,
    baseInstructions: null,
    developerInstructions: null,
    contextWindow: null,
    autoCompactLimit: null,
    projectDocMaxBytes: 0,
    projectDocFallbacks: [],
    folders: [],
    provider: { ...providerRow(""), baseUrl: null, envKey: "MOCK_PROVIDER_CREDENTIAL" },
    raw,
  };
}
