import type { ResponseItem } from "@quire/protocol";
import { Approvals } from "../../approval/approvals.ts";
import type { ToolContext } from "../../approval/tool-context.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { message, text } from "../../prompt/message.ts";
import { callOf, outputItem } from "../../record/call-items.ts";
import { contextMessages } from "../../record/context.ts";
import { textOf } from "../../record/model-items.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import type { TurnSettings } from "../../record/turn-settings.ts";
import { sandboxLauncher } from "../../run/sandbox/sandbox-launcher.ts";
import type { Thread } from "../../thread/thread.ts";
import { createToolbox, type Toolbox } from "../../tools/toolbox.ts";
import { providerOf } from "../../turn/provider-of.ts";
import { type Assessment, assessmentSchema, readAssessment } from "./assessment.ts";
import { CollectingSink } from "./collecting-sink.ts";
import { guardianPrompt, notReadable } from "./guardian-prompt.ts";

/** Unreadable assessments, and responses in total, before a review fails. */
const maxAnswers = 3;
const maxResponses = 24;

/** A review: a separate exchange with the thread's model that is neither shown nor kept. */
export class ModelReviewer {
  readonly #thread: Thread;
  readonly #turnId: string;
  readonly #signal: AbortSignal;
  readonly #settings: TurnSettings;
  readonly #said: ResponseItem[];

  constructor(thread: Thread, turnId: string, signal: AbortSignal) {
    this.#thread = thread;
    this.#turnId = turnId;
    this.#signal = signal;
    this.#settings = {
      ...thread.settings,
      approvalPolicy: "never",
      sandboxPolicy: { type: "readOnly", networkAccess: false },
      collaborationMode: null,
      personality: null,
    };
    const { core, config } = thread;
    const { sections } = core.prompts.preamble({
      settings: this.#settings,
      config,
      baseInstructions: guardianPrompt,
      developerInstructions: null,
    });
    this.#said = contextMessages(sections);
  }

  /** Rejects when the model gives no assessment, and when the signal aborts. */
  async assess(request: string): Promise<Assessment> {
    const { home, env } = this.#thread.core.server;
    const toolbox = createToolbox({
      // Under an id of its own: what the reviewer leaves running ends with the review.
      threadId: Bun.randomUUIDv7(),
      config: this.#thread.config,
      dynamicTools: [],
      env,
      launcher: async () => sandboxLauncher({ home, env }),
    });
    try {
      return await this.#converse(request, toolbox);
    } finally {
      await toolbox.close();
    }
  }

  async #converse(request: string, toolbox: Toolbox): Promise<Assessment> {
    const context = this.#context();
    this.#said.push(message("user", [text(request)]));
    let answers = 0;
    for (let responses = 0; responses < maxResponses; responses++) {
      const items = await this.#respond(toolbox);
      this.#said.push(...items);
      const calls = items.flatMap((item) => callOf(item) ?? []);
      for (const call of calls) this.#said.push(outputItem(call, await run(toolbox, call, context)));
      if (calls.length > 0) continue;
      const last = items.findLast((item) => item.type === "message" && item.role === "assistant");
      const assessment = readAssessment(last?.type === "message" ? textOf(last) : "");
      if (assessment) return assessment;
      answers += 1;
      if (answers === maxAnswers) throw new Error("guardian assessment was not valid JSON");
      this.#said.push(message("user", [text(notReadable)]));
    }
    throw new Error(`guardian came to no assessment in ${maxResponses} responses`);
  }

  async #respond(toolbox: Toolbox): Promise<readonly ResponseItem[]> {
    const { config, id } = this.#thread;
    const { model, effort, summary, serviceTier, cwd } = this.#settings;
    const sink = new CollectingSink();
    const request = {
      model,
      input: [...this.#said],
      tools: toolbox.readOnlySpecs(this.#settings),
      effort,
      summary,
      verbosity: config.verbosity,
      outputSchema: assessmentSchema,
      serviceTier,
      threadId: `guardian:${id}`,
      turnId: this.#turnId,
      cwd,
      metadata: {},
    };
    await providerOf(this.#thread, "guardian").stream(request, sink, this.#signal);
    return sink.items;
  }

  /** Without any grant of the session, and with nobody to ask or to tell. */
  #context(): ToolContext {
    const { id, approvals } = this.#thread;
    const nothing = () => undefined;
    return {
      threadId: id,
      turnId: this.#turnId,
      settings: this.#settings,
      signal: this.#signal,
      startItem: nothing,
      completeItem: nothing,
      completeLate: nothing,
      notify: nothing,
      approvals: new Approvals(approvals.options),
      hold: () => nothing,
      remark: nothing,
      interrupt: nothing,
      ask: () => Promise.reject(new Error("a reviewer asks nobody")),
    };
  }
}

async function run(toolbox: Toolbox, call: ToolCall, context: ToolContext): Promise<string> {
  const tool = toolbox.find(call);
  if (!tool?.readOnly) return `${call.name} is not available to a reviewer`;
  try {
    const output = await tool.run(call, context);
    return typeof output === "string" ? output : JSON.stringify(output);
  } catch (error) {
    context.signal.throwIfAborted();
    return errorMessage(error);
  }
}
