import type { Logger } from "../lib/logger.ts";
import type { Feedback, FeedbackContext, FeedbackProvider, FeedbackTrigger } from "../prompt/feedback.ts";
import type { Session } from "../session/session.ts";

interface Due {
  calls: number;
  /** Calls and time when it was last due. */
  lastCalls: number;
  lastMs: number | undefined;
  readonly seenFiles: Set<string>;
}

/** Counts live as long as their session, so that the next evaluation continues to count. */
const counts = new WeakMap<Session, Map<string, Due>>();

/** Asks the providers of a prompt after a tool call; a provider that fails is logged and left out. */
export async function feedbackAfterCall(
  providers: readonly FeedbackProvider[],
  facts: Omit<FeedbackContext, "calls">,
  logger: Logger = {},
): Promise<string[]> {
  const blocks: string[] = [];
  for (const provider of providers) {
    const due = dueOf(facts, provider);
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

function dueOf({ session, promptName }: Omit<FeedbackContext, "calls">, { name }: FeedbackProvider): Due {
  const known = counts.get(session) ?? new Map<string, Due>();
  counts.set(session, known);
  const key = JSON.stringify([promptName, name]);
  const due = known.get(key) ?? { calls: 0, lastCalls: 0, lastMs: undefined, seenFiles: new Set<string>() };
  known.set(key, due);
  return due;
}

async function isDue(
  triggers: readonly FeedbackTrigger[],
  due: Due,
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
