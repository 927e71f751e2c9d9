import type { EndpointNotice } from "../model/model-provider.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";

/** Notifies clients of an endpoint's notice. */
export function notifyEndpointNotice(thread: Thread, turn: ActiveTurn, notice: EndpointNotice): void {
  const { id: threadId } = thread;
  const turnId = turn.id;
  switch (notice.kind) {
    case "served": {
      const { model } = thread.settings;
      if (notice.model.toLowerCase() === model.toLowerCase() || turn.rerouted) return;
      turn.rerouted = true;
      // There is no other reason in the protocol.
      const reason = "highRiskCyberActivity";
      thread.notify("model/rerouted", { threadId, turnId, fromModel: model, toModel: notice.model, reason });
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
