import type { EndpointNotice } from "../model/model-provider.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** There is no other in the protocol. */
const onlyReason = "highRiskCyberActivity";

/** Notifies clients of an endpoint's notice. */
export function notifyEndpointNotice(thread: Thread, turn: ActiveTurn, notice: EndpointNotice): void {
  const { id: threadId } = thread;
  const turnId = turn.id;
  switch (notice.kind) {
    case "served": {
      const { model } = thread.settings;
      if (notice.model.toLowerCase() === model.toLowerCase() || turn.rerouted) return;
      turn.rerouted = true;
      const to = notice.model;
      thread.notify("model/rerouted", { threadId, turnId, fromModel: model, toModel: to, reason: onlyReason });
      const message = `The endpoint answers with ${notice.model} in place of ${model}; ask its provider why.`;
      thread.notify("warning", { threadId, message });
      return;
    }
    case "verification":
      thread.notify("model/verification", { threadId, turnId, verifications: ["trustedAccessForCyber"] });
      return;
    case "moderation":
      thread.notify("turn/moderationMetadata", { threadId, turnId, metadata: notice.metadata });
      return;
    case "buffering": {
      const { useCases, reasons, fasterModel } = notice;
      const { model } = thread.settings;
      const status = { threadId, turnId, model, useCases, reasons, showBufferingUi: true, fasterModel };
      thread.notify("model/safetyBuffering/updated", status);
      return;
    }
    case "plainer": {
      const { id, name } = notice.provider;
      const message = `${name} refuses requests in OpenAI's dialect. It is asked in a plain form from now on: functions only, without hosted tools. Set dialect = "plain" in [model_providers.${id}] to begin with it.`;
      thread.notify("warning", { threadId, message });
      return;
    }
    case "fallback": {
      const { from: fromModel, to: toModel, provider, reason: why } = notice;
      turn.rerouted = true;
      thread.notify("model/rerouted", { threadId, turnId, fromModel, toModel, reason: onlyReason });
      thread.notify("warning", {
        threadId,
        message: `${toModel} of ${provider} is asked in place of ${fromModel}: ${why}`,
      });
      return;
    }
    case "recovery": {
      const { provider } = notice;
      if (notice.phase === "started") {
        const message = "AWS session has expired. Reauthenticating...";
        thread.notify("modelProvider/authRecoveryStarted", { threadId, turnId, provider, message });
      } else {
        const message = "Signed in with AWS.";
        thread.notify("modelProvider/authRecoveryCompleted", { threadId, turnId, provider, message });
      }
    }
  }
}
