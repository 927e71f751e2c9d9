import { ToolBridge } from "../bridge/tool-bridge.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";
import type { EvaluationScope } from "./evaluation-scope.ts";
import { feedbackAfterCall } from "./feedback-runner.ts";

/** The bridge over which the server calls the tools of a rendered prompt. */
export function makeBridge(scope: EvaluationScope, rendered: RenderedPrompt): ToolBridge {
  const { prompt, session, deadline, options, limits, logger, watch, settings } = scope;
  const { clock } = settings;
  return new ToolBridge({
    prompt,
    rendered,
    session,
    deadline,
    budgetTracker: scope.tracker,
    heartbeat: options.heartbeat,
    runContext: options.runContext,
    signal: limits.handlerSignal,
    logger,
    clock,
    usage: () => watch.usage,
    feedback: ({ context, tool }) => {
      const { filesystem } = context;
      const facts = { session, promptName: prompt.eventName, toolName: tool.name, deadline, filesystem, clock };
      return feedbackAfterCall(prompt.template.feedback, facts, logger);
    },
    onInvoked: scope.onInvoked,
    onExpansion: () => limits.stop({ kind: "expansion" }),
    onBudgetExceeded: (error) => limits.stop({ kind: "budget", error }),
  });
}
