import type { ClientWarning, QuestionHandlers } from "@quire/client";
import { type AnswerContext, answerServerRequest } from "@quire/client/questions";
import type { FileUpdateChange } from "@quire/protocol";

/** Puts one request of the server to the handlers; gives the reply and the warnings. */
export async function answer(
  request: { readonly method: string; readonly params?: unknown },
  handlers: QuestionHandlers,
  more: Partial<AnswerContext> = {},
): Promise<{ readonly result: unknown; readonly warnings: readonly ClientWarning[] }> {
  const warnings: ClientWarning[] = [];
  const result = await answerServerRequest(request, handlers, {
    signal: new AbortController().signal,
    tools: [],
    warn: (warning) => warnings.push(warning),
    changesOf: () => changes,
    ...more,
  });
  return { result, warnings };
}

const changes: readonly FileUpdateChange[] = [{ path: "/work/a.txt", kind: { type: "add" }, diff: "a\n" }];
const ids = { threadId: "thread-1", turnId: "turn-1", itemId: "item-1", startedAtMs: 1 };
const legacyIds = { conversationId: "thread-1", callId: "call-1" };

export const modernCommand = (more: object = {}) => ({
  method: "item/commandExecution/requestApproval",
  params: { ...ids, command: "rm -rf build", cwd: "/work", ...more },
});

export const modernPatch = () => ({ method: "item/fileChange/requestApproval", params: { ...ids } });

export const legacyCommand = () => ({
  method: "execCommandApproval",
  params: { ...legacyIds, command: ["rm", "-rf", "build"], cwd: "/work", parsedCmd: [] },
});

export const legacyPatch = () => ({
  method: "applyPatchApproval",
  params: {
    ...legacyIds,
    fileChanges: {
      "old.txt": { type: "update", unified_diff: "@@", move_path: "moved.txt" },
      "new.txt": { type: "add", content: "n\n" },
    },
  },
});

export const permissions = (asked: object) => ({
  method: "item/permissions/requestApproval",
  params: { ...ids, cwd: "/work", permissions: asked },
});

export const userInput = (...questions: { id: string; options?: { label: string; description: string }[] }[]) => ({
  method: "item/tool/requestUserInput",
  params: { ...ids, isBlocking: true, questions: questions.map((one) => ({ header: "h", question: "q", ...one })) },
});

export const elicitation = (more: object) => ({
  method: "mcpServer/elicitation/request",
  params: { threadId: "thread-1", turnId: null, serverName: "files", message: "May I?", ...more },
});
