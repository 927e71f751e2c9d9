import type { TurnResult } from "@quire/client";
import { costOf } from "@quire/client/guards";
import { failureMessage } from "@quire/client/link";
import type { ToolBridge } from "../bridge/tool-bridge.ts";
import { promptExecuted } from "../events/build-events.ts";
import { PromptEvaluationError } from "../limits/evaluation-error.ts";
import { type StructuredOutput, structuredOutput } from "../output/structured-output.ts";
import { StructuredOutputError } from "../output/structured-output-error.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";
import { FilesystemResource } from "../resources/filesystem-resource.ts";
import { fingerprint } from "../schema/hash.ts";
import { publish } from "../session/publish.ts";
import { logIn } from "./auth.ts";
import type { Evaluation } from "./evaluation.ts";
import { brokenRule, evaluationError, type FailureFacts, payloadOf, stoppedError } from "./evaluation-failure.ts";
import type { EvaluationScope } from "./evaluation-scope.ts";
import { TurnStopped } from "./follow-turn.ts";
import { makeBridge } from "./make-bridge.ts";
import { makeHome, makeLink } from "./make-link.ts";
import { announce, workingFolder, workspaceOf } from "./prepare-evaluation.ts";
import { InputRefused, runTurns } from "./run-turns.ts";
import type { AgentLink } from "./server-link.ts";
import { startThread } from "./start-thread.ts";
import { WatchedTools } from "./watched-tools.ts";

/** An evaluation from its beginning to its end. Used once. */
export class EvaluationRun {
  readonly #scope: EvaluationScope;
  #bridge: ToolBridge | undefined;
  #link: AgentLink | undefined;
  #threadId: string | undefined;

  constructor(scope: EvaluationScope) {
    this.#scope = scope;
  }

  /** Does all of it. Rejects with an error of this package, or with the reason of the caller's signal. */
  async evaluate(): Promise<Evaluation<unknown>> {
    const { limits, transcript, redactor, tracker, watch, evaluationId, prices } = this.#scope;
    try {
      // Before anything is emitted or started.
      limits.signal.throwIfAborted();
      const evaluation = await this.#evaluate();
      transcript?.stop("completed");
      return evaluation;
    } catch (error) {
      const failure = this.#failure(error);
      const message = redactor.text(failureMessage(failure));
      transcript?.add({ entryType: "error", detail: { message } });
      transcript?.stop("failed");
      throw failure;
    } finally {
      if (watch.usage) tracker?.recordCumulative(evaluationId, watch.usage, prices && costOf(watch.usage, prices));
      limits[Symbol.dispose]();
    }
  }

  async #evaluate(): Promise<Evaluation<unknown>> {
    const { prompt, session, deadline, settings, limits } = this.#scope;
    const rendered = await prompt.render({ session, deadline });
    await using _resources = await prompt.resources.enter();
    this.#bridge = makeBridge(this.#scope, rendered);
    const specs = await this.#bridge.specs();
    const { output: schema, allowExtraKeys } = rendered;
    const output = schema === undefined ? undefined : await structuredOutput(schema, { allowExtraKeys });
    announce(this.#scope, rendered, specs);
    const cwd = await workingFolder(settings, workspaceOf(prompt));
    await using home = await makeHome(settings, rendered.skills);
    await using link = makeLink(this.#scope, cwd, home);
    this.#link = link;
    await link.open(limits);
    if (settings.client.auth) await limits.guard(logIn(link.client, settings.client.auth, limits.signal));
    const toolsFingerprint = await fingerprint(specs);
    return await this.#onThread({ link, cwd, rendered, bridge: this.#bridge, output, toolsFingerprint });
  }

  async #onThread(ready: Ready): Promise<Evaluation<unknown>> {
    const { prompt, session, settings, limits, transcript, watch, options, logger, redactor, emit } = this.#scope;
    const { link, bridge, rendered, output, cwd, toolsFingerprint } = ready;
    const { client: config, model, clock } = settings;
    const { interruptGraceMs } = config;
    const tools = new WatchedTools(session, transcript);
    try {
      const { thread, isFresh } = await startThread({
        client: link.client,
        config,
        model,
        cwd,
        tools: tools.watch(await bridge.tools()),
        toolsFingerprint,
        workspaceFingerprint: workspaceOf(prompt)?.fingerprint ?? null,
        session,
        options,
        signal: limits.signal,
        logger,
      });
      this.#threadId = thread.id;
      watch.follow(thread.id, isFresh);
      emit?.({ type: "thread.opened", threadId: thread.id, isNew: isFresh });
      const filesystem = prompt.resources.peek(FilesystemResource);
      const { completion } = prompt.template;
      const limited = { link, limits, clock, interruptGraceMs };
      const { text } = rendered;
      const result = await runTurns({
        ...limited,
        thread,
        text,
        model,
        output,
        completion,
        session,
        filesystem,
        watch,
        redactor,
        emit,
        hooks: settings.hooks,
        promptName: prompt.eventName,
        beginTurn: () => this.#beginTurn(),
      });
      return await this.#finish(result, output, toolsFingerprint);
    } finally {
      // Nobody waits for tools any more: their signal is aborted, and their calls are rolled back.
      limits.end();
      await tools.settle(clock, interruptGraceMs);
    }
  }

  #beginTurn(): void {
    const { tracker, limits } = this.#scope;
    try {
      tracker?.beginTurn();
    } catch (error) {
      limits.stop({ kind: "budget", error });
    }
  }

  async #finish(
    result: TurnResult,
    output: StructuredOutput<unknown> | undefined,
    toolsFingerprint: string,
  ): Promise<Evaluation<unknown>> {
    const { prompt, session, settings, limits, watch, options, transcript, evaluationId, logger, prices } = this.#scope;
    // Also where the turn had ended before it could be stopped.
    if (limits.reason) throw new TurnStopped(result.agentMessage);
    const { eventName: promptName } = prompt;
    if (result.status !== "completed") {
      const payload = payloadOf(this.#facts(result.agentMessage));
      throw new PromptEvaluationError("The turn was interrupted", { promptName, phase: "request", payload });
    }
    const text = result.agentMessage === "" ? null : result.agentMessage;
    const value = output ? await this.#parse(output, result.agentMessage) : null;
    const usage = watch.usage ?? null;
    const executed = { promptName, text, output: value };
    const facts = { sessionId: session.id, runContext: options.runContext, clock: settings.clock };
    publish(session, promptExecuted({ ...facts, promptName, result: executed, usage }), logger);
    return {
      ...executed,
      usage,
      cost: usage && prices ? costOf(usage, prices) : null,
      evaluationId,
      threadId: this.#threadId ?? "",
      toolsFingerprint,
      turnIds: watch.turnIds,
      diff: result.diff ?? null,
      plan: result.plan ?? null,
      transcript: transcript?.entries ?? [],
    };
  }

  async #parse(output: StructuredOutput<unknown>, text: string): Promise<unknown> {
    const parsed = await output.parse(text);
    if (parsed.ok) return parsed.value;
    const payload = payloadOf(this.#facts(text));
    throw new StructuredOutputError(text, parsed.issues, { promptName: this.#scope.prompt.eventName, payload });
  }

  #failure(error: unknown): unknown {
    const { reason } = this.#scope.limits;
    if (reason?.kind === "expansion" && this.#bridge?.expansion) return this.#bridge.expansion;
    const facts = this.#facts(error instanceof TurnStopped ? error.text : undefined);
    if (reason) return stoppedError(reason, facts);
    if (error instanceof InputRefused) return brokenRule(error.cause, "request", facts);
    return evaluationError(error, facts);
  }

  #facts(text: string | undefined): FailureFacts {
    const { prompt, redactor, watch } = this.#scope;
    return {
      promptName: prompt.eventName,
      redactor,
      stderr: this.#link?.stderr ?? "",
      threadId: this.#threadId,
      turnId: watch.turnIds.at(-1),
      transientErrors: watch.transientErrors,
      text,
    };
  }
}

/** The parts that exist before the thread. */
interface Ready {
  readonly link: AgentLink;
  readonly cwd: string;
  readonly rendered: RenderedPrompt;
  readonly bridge: ToolBridge;
  readonly output: StructuredOutput<unknown> | undefined;
  readonly toolsFingerprint: string;
}
