import type { ResponseItem, UserInput } from "@quire/protocol";
import { contextMessages } from "../../record/context.ts";
import { textOf } from "../../record/model-items.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { Thread } from "../../thread/thread.ts";
import { addHistory } from "../../turn/add-history.ts";
import type { Conversation } from "../../turn/conversation.ts";
import { step } from "../../turn/model-loop.ts";
import type { TurnWork } from "../../turn/run-turn.ts";
import { renderReview } from "./findings.ts";
import { reviewerPrompt, reviewRecord } from "./reviewer-prompt.ts";
import type { ReviewTask } from "./target.ts";

/** Reviews, in a conversation of its own: the thread keeps the outcome, not the reading. */
export function runReview(task: ReviewTask): TurnWork {
  return async (thread, turn) => {
    show(thread, turn, { type: "enteredReviewMode", review: task.hint });
    let review = "The review was interrupted; it has no result.";
    try {
      review = renderReview(await ask(thread, turn, task));
    } finally {
      show(thread, turn, { type: "exitedReviewMode", review });
    }
    const message = {
      type: "agentMessage",
      text: review,
      phase: null,
      memoryCitation: null,
      delivery: null,
      questions: null,
    } as const;
    show(thread, turn, message);
    addHistory(thread, turn, [
      { type: "message", role: "user", content: [{ type: "input_text", text: reviewRecord(review) }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: review }] },
    ]);
  };
}

async function ask(thread: Thread, turn: ActiveTurn, task: ReviewTask): Promise<string> {
  const { sections } = thread.core.prompts.preamble({
    settings: thread.settings,
    config: thread.config,
    baseInstructions: reviewerPrompt,
    developerInstructions: null,
  });
  const said: ResponseItem[] = [
    ...contextMessages(sections),
    { type: "message", role: "user", content: [{ type: "input_text", text: task.request }] },
  ];
  const conversation: Conversation = {
    input: () => [...said],
    add: (more) => void said.push(...more),
    tools: () => thread.toolbox.readOnlySpecs(thread.settings),
    role: "review",
    shown: false,
  };
  const content: UserInput[] = [{ type: "text", text: task.request, text_elements: [] }];
  show(thread, turn, { type: "userMessage", clientId: null, content });
  while (await step(thread, turn, conversation));
  const last = said.findLast((item) => item.type === "message" && item.role === "assistant");
  return last?.type === "message" ? textOf(last) : "";
}

type Shown =
  | { type: "enteredReviewMode" | "exitedReviewMode"; review: string }
  | { type: "userMessage"; clientId: null; content: UserInput[] }
  | { type: "agentMessage"; text: string; phase: null; memoryCitation: null; delivery: null; questions: null };

function show(thread: Thread, turn: ActiveTurn, shown: Shown): void {
  thread.showItem(turn.id, { ...shown, id: Bun.randomUUIDv7(), startedAtMs: Date.now() });
}
