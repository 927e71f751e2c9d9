import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type { ServerRequests } from "@quire/protocol";
import type { ClientWarning } from "../port/client-warning.ts";
import { isObject } from "../schema/json-value.ts";
import { callTool } from "../tools/call-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { ApprovalRequest } from "./approval-requests.ts";
import { ask } from "./ask.ts";
import { type ApprovalContext, type ApprovalMethod, buildApproval, type IncomingApproval } from "./build-approval.ts";
import { buildElicitation, buildUserInput } from "./build-question.ts";
import type { QuestionHandlers } from "./handlers.ts";
import type { UserInputAnswers } from "./requests.ts";

/** Options of answering, besides the handlers. */
export interface AnswerContext extends ApprovalContext {
  /** Aborted when the question is withdrawn, its turn ends, or the connection does. */
  readonly signal: AbortSignal;
  /** The tools of the thread that the request is about. */
  readonly tools: Iterable<Tool>;
  /** Hears what was declined for want of an answer. */
  readonly warn: (warning: ClientWarning) => void;
}

type Responder<M extends keyof ServerRequests> = (
  params: ServerRequests[M]["params"],
  handlers: QuestionHandlers,
  context: AnswerContext,
) => Promise<unknown>;

const responders: { readonly [M in Exclude<keyof ServerRequests, ApprovalMethod>]: Responder<M> } = {
  "item/tool/call": (params, _, { tools, signal }) => callTool(tools, params, signal),
  "item/tool/requestUserInput": (params, { onUserInput }, context) => {
    const request = buildUserInput(params, context.signal);
    return ask(
      {
        method: request.method,
        request,
        option: "onUserInput",
        handler: onUserInput,
        fromShorthand: (given) => (isObject(given) ? request.answer(given as UserInputAnswers) : undefined),
        refusal: request.decline,
      },
      context,
    );
  },
  "mcpServer/elicitation/request": (params, { onElicitation }, context) => {
    const request = buildElicitation(params, context.signal);
    return ask(
      {
        method: request.method,
        request,
        option: "onElicitation",
        handler: onElicitation,
        fromShorthand: (given) =>
          given === "accept" || given === "decline" || given === "cancel" ? request[given]() : undefined,
        refusal: request.decline,
      },
      context,
    );
  },
  "account/chatgptAuthTokens/refresh": ({ reason, previousAccountId }, { onAuthRefresh }, { signal }) => {
    if (onAuthRefresh === undefined) throw unanswerable("account/chatgptAuthTokens/refresh", "onAuthRefresh");
    return Promise.resolve(onAuthRefresh({ reason, previousAccountId: previousAccountId ?? undefined, signal }));
  },
  "attestation/generate": async (_, { onAttestation }, { signal }) => {
    if (onAttestation === undefined) throw unanswerable("attestation/generate", "onAttestation");
    return { token: await onAttestation({ signal }) };
  },
  // Whole seconds. The clock of this program is as good as any.
  "currentTime/read": async () => ({ currentTimeAt: Math.floor(Date.now() / 1000) }),
};

const approvalMethods: readonly string[] = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "execCommandApproval",
  "applyPatchApproval",
] satisfies ApprovalMethod[];

/**
 * Answers a request of the server with the wire's result. Questions that nobody answers are declined with a warning.
 * Rejects with an {@link RpcError} for a method that is not known, and where only an error tells the server the truth:
 * there are no tokens.
 */
export async function answerServerRequest(
  request: { readonly method: string; readonly params?: unknown },
  handlers: QuestionHandlers,
  context: AnswerContext,
): Promise<unknown> {
  const { method, params } = request;
  if (approvalMethods.includes(method)) return answerApproval(request as IncomingApproval, handlers, context);
  if (!Object.hasOwn(responders, method)) {
    throw new RpcError({ code: ErrorCode.methodNotFound, message: `Method not found: ${method}` });
  }
  const respond = responders[method as keyof typeof responders] as Responder<keyof ServerRequests>;
  return respond(params as ServerRequests[keyof ServerRequests]["params"], handlers, context);
}

function answerApproval(
  incoming: IncomingApproval,
  { onApproval }: QuestionHandlers,
  context: AnswerContext,
): Promise<unknown> {
  const request = buildApproval(incoming, context);
  const isOne = typeof onApproval === "function";
  const handler = (isOne ? onApproval : onApproval?.[request.kind]) as
    | ((request: ApprovalRequest) => unknown)
    | undefined;
  return ask(
    {
      method: request.method,
      request,
      option: isOne || onApproval === undefined ? "onApproval" : `onApproval.${request.kind}`,
      handler,
      fromShorthand: (given) =>
        given === "accept" || given === "acceptForSession" || given === "decline" || given === "cancel"
          ? request[given]()
          : undefined,
      refusal: request.decline,
    },
    context,
  );
}

const unanswerable = (method: string, option: string): RpcError =>
  new RpcError({
    code: ErrorCode.methodNotFound,
    message: `This client does not answer ${method}: it has no ${option}`,
  });
