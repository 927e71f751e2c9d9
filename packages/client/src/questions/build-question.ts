import type { McpServerElicitationRequestParams, ToolRequestUserInputParams } from "@quire/protocol";
import { isObject } from "../schema/json-value.ts";
import { Answer } from "./answer.ts";
import type { ElicitationRequest, UserInputAnswers, UserInputRequest } from "./requests.ts";

/** Makes the request object of a question to the user. */
export function buildUserInput(params: ToolRequestUserInputParams, signal: AbortSignal): UserInputRequest {
  const { threadId, turnId, itemId, questions } = params;
  return {
    method: "item/tool/requestUserInput",
    params,
    threadId,
    turnId,
    itemId,
    questions,
    signal,
    answer: (answers) => new Answer(userInputResult(answers)),
    decline: () => new Answer(userInputResult({})),
  };
}

function userInputResult(answers: UserInputAnswers): unknown {
  const entries = Object.entries(answers).map(([id, answer]) => [
    id,
    { answers: typeof answer === "string" ? [answer] : [...answer] },
  ]);
  return { answers: Object.fromEntries(entries) };
}

/** Makes the request object of an elicitation. */
export function buildElicitation(params: McpServerElicitationRequestParams, signal: AbortSignal): ElicitationRequest {
  const meta = isObject(params._meta) ? params._meta : {};
  const refuse = (action: "decline" | "cancel") => () => new Answer({ action, content: null, _meta: null });
  return {
    method: "mcpServer/elicitation/request",
    params,
    mode: params.mode,
    serverName: params.serverName,
    threadId: params.threadId,
    turnId: params.turnId ?? undefined,
    message: "message" in params ? params.message : params.description,
    form: params.mode === "form" ? params.requestedSchema : undefined,
    url: params.mode === "url" ? params.url : undefined,
    approvalKind: typeof meta.codex_approval_kind === "string" ? meta.codex_approval_kind : undefined,
    signal,
    accept(content, { persist, meta: extra } = {}) {
      const _meta = { ...(persist === undefined ? {} : { persist }), ...extra };
      // A form that asks for nothing wants an empty object, a page wants no content at all.
      const filled = content ?? (params.mode === "url" ? null : {});
      return new Answer({ action: "accept", content: filled, _meta: Object.keys(_meta).length > 0 ? _meta : null });
    },
    decline: refuse("decline"),
    cancel: refuse("cancel"),
    respond: (result) => new Answer(result),
  };
}
