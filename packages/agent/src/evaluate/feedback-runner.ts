import type { Logger } from "../lib/logger.ts";
import type { Feedback, FeedbackContext, FeedbackProvider, FeedbackTrigger } from "../prompt/feedback.ts";
import type { FeedbackCount } from "../session/feedback-count.ts";

/** Asks the providers of a prompt after a tool call; a provider that fails is logged and left out. */
export async function feedbackAfterCall(
  providers: readonly FeedbackProvider[],
  facts: Omit<FeedbackContext, "calls">,
  logger: Logger = {},
): Promise<string[]> {
  const blocks: string[] = [];
  for (const provider of providers) {
    const due = countOf(facts, provider);
    due.calls++;
    try {
      if (!(await isDue(provider.triggers, due, facts))) continue;
      due.lastCalls = due.calls;
      due.lastMs = facts.clock.now();
      const given = await provider.provide({ ...facts, calls: due.calls });
      if (given !== undefined && given !== "") blocks.push(renderFeedback(provider.name, given));
    } catch (error) {
      logger.warn?.(`The feedback provider ${provider.name} failed`, error);
    }
  }
  return blocks;
}

function countOf({ session, promptName }: Omit<FeedbackContext, "calls">, { name }: FeedbackProvider): FeedbackCount {
  const key = JSON.stringify([promptName, name]);
  const count = session.feedbackCounts.get(key) ?? {
    calls: 0,
    lastCalls: 0,
    lastMs: undefined,
    seenFiles: new Set<string>(),
  };
  session.feedbackCounts.set(key, count);
  return count;
}

async function isDue(
  triggers: readonly FeedbackTrigger[],
  due: FeedbackCount,
  { clock, filesystem }: Omit<FeedbackContext, "calls">,
): Promise<boolean> {
  let isNow = false;
  for (const { everyCalls, everySeconds, whenFileAppears } of triggers) {
    if (everyCalls !== undefined && due.calls - due.lastCalls >= everyCalls) isNow = true;
    if (everySeconds !== undefined && (due.lastMs === undefined || clock.now() - due.lastMs >= everySeconds * 1000))
      isNow = true;
    if (whenFileAppears !== undefined && !due.seenFiles.has(whenFileAppears)) {
      if (await filesystem?.exists(whenFileAppears)) {
        due.seenFiles.add(whenFileAppears);
        isNow = true;
      }
    }
  }
  return isNow;
}

/** A block that names its author, so that the model does not take it for the tool's result. */
function renderFeedback(name: string, given: Feedback | string): string {
  const { text, severity = "info", suggestions = [] } = typeof given === "string" ? { text: given } : given;
  const lines = [text, ...suggestions.map((each) => `- ${each}`)];
  return `<feedback provider="${name}" severity="${severity}">\n${lines.join("\n")}\n</feedback>`;
}
