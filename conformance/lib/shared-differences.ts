import type { DeclaredDifference } from "./scenario.ts";

/** Differences that several scenarios declare. */
const shared = {
  keptAnswer: {
    at: /^event adds: item\/completed agentMessage|^event turn\/completed params\.turn\.items|^reply thread\/\S+ result\.(thread\.turns|data)\.items$|^model input adds: assistant /,
    reason:
      "What the model had said when its answer was cut off is completed and kept; Codex leaves the item open and forgets it.",
  },
  openItem: {
    at: /^reply thread\/(read|resume|items\/list|fork) result\.(data|thread\.turns\.(items|completedAt|durationMs))/,
    reason: "A message that is still being written is part of what is read, and of what a fork takes along.",
  },
  alwaysPaged: {
    at: /(result|params)\.(thread\.|data\.)?(historyMode|turnsBackwardsCursor|itemsBackwardsCursor)$/,
    reason: "Every thread can be read page by page, also one that an older version has stored.",
  },
  errorWords: {
    at: /^event (error|turn\/completed) params\.(turn\.)?error\.(message|additionalDetails)/,
    reason: "Model errors are told in Quire's own words; `codexErrorInfo` is the same.",
  },
  replyWords: {
    at: /^reply \S+ error\.message/,
    reason: "A refusal has Quire's own words; its code is the same.",
  },
  warningWords: {
    at: "event warning params.message",
    reason: "A warning has Quire's own words.",
  },
  patchGrammar: {
    at: "model tool apply_patch.format.definition",
    reason: "The grammar of patches is Quire's own; it describes the same language.",
  },
  toolWords: {
    at: /^model input (lacks|adds): function_call_output /,
    reason: "The model is told the same of a failed call in other words.",
  },
  sameTools: {
    at: /^model (tool|tool_choice|parallel_tool_calls)/,
    reason: "A compaction asks with the thread's tools, so that the provider's prompt cache holds; Codex with none.",
  },
} as const satisfies Readonly<Record<string, DeclaredDifference>>;

export const {
  alwaysPaged,
  keptAnswer,
  openItem,
  errorWords,
  patchGrammar,
  replyWords,
  sameTools,
  toolWords,
  warningWords,
} = shared;
