import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type { TurnStartParams, UserInput } from "@quire/protocol";
import { isSwitchedOn } from "../config/feature-flags.ts";
import type { Handlers, RequestScope } from "../context/processor.ts";
import { coreOf } from "../features/open-core.ts";
import { afterReply } from "../lib/after-reply.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { chosenEnvironment } from "../run/environments/choose-environment.ts";
import { applySettings } from "../thread/apply-settings.ts";
import { answerInput } from "../turn/model-loop.ts";
import { busy, startTurn } from "../turn/start-turn.ts";

/** Turns: beginning, steering and ending them. */
export const handlers: Handlers = {
  "turn/start": start,

  "turn/steer": ({ threadId, expectedTurnId, input, clientUserMessageId }, { server }) => {
    const { active } = coreOf(server).threads.require(threadId);
    if (expectedTurnId === "") throw invalidRequest("expectedTurnId must not be empty");
    if (!active) throw invalidRequest("no active turn to steer");
    if (active.id !== expectedTurnId)
      throw invalidRequest(`expected active turn id \`${expectedTurnId}\` but found \`${active.id}\``);
    if (active.request.kind !== "regular") throw busy(active);
    if (input.length === 0) throw invalidRequest("input must not be empty");
    checkInput(input);
    active.steer({ input, clientId: clientUserMessageId ?? null });
    return { turnId: active.id };
  },

  "turn/settings/update": ({ threadId, turnId, environments, ...changes }, { server }) => {
    const { active, config } = coreOf(server).threads.require(threadId);
    if (!isSwitchedOn(config.raw, "step_model_switching"))
      throw invalidRequest("turn settings updates require the step_model_switching feature");
    if (active?.id !== turnId || active.request.kind !== "regular") return { status: "targetUnavailable" };
    const place = chosenEnvironment(coreOf(server).environments(), environments);
    const { model, effort, summary, serviceTier } = changes;
    active.settings = {
      ...active.settings,
      ...(model && { model }),
      ...(effort && { effort }),
      ...(summary && { summary }),
      ...(serviceTier && { serviceTier }),
      ...place,
    };
    return { status: "applied" };
  },

  "turn/interrupt": ({ threadId, turnId }, { server }) => {
    const { active } = coreOf(server).threads.require(threadId);
    if (!active && turnId === "") return {};
    if (!active) throw invalidRequest("no active turn to interrupt");
    if (turnId !== "" && active.id !== turnId)
      throw invalidRequest(`expected active turn id ${turnId} but found ${active.id}`);
    afterReply(() => void active.interrupt("the user interrupted the turn"));
    return {};
  },
};

const maxCharacters = 1024 * 1024;

function checkInput(input: readonly UserInput[]): void {
  const isRemote = (part: UserInput) => part.type === "image" && "url" in part && /^https?:/i.test(part.url);
  if (input.some(isRemote)) {
    throw invalidRequest("remote image URLs are not supported; use an inline data URL instead");
  }
  const characters = input.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  if (characters <= maxCharacters) return;
  throw new RpcError({
    code: ErrorCode.invalidParams,
    message: `Input exceeds the maximum length of ${maxCharacters} characters.`,
    data: { input_error_code: "input_too_large", max_chars: maxCharacters, actual_chars: characters },
  });
}

function start(params: TurnStartParams, { server }: RequestScope) {
  const thread = coreOf(server).threads.require(params.threadId);
  checkInput(params.input);
  const first = { input: params.input, clientId: params.clientUserMessageId ?? null };
  const { active } = thread;
  if (active) {
    if (active.request.kind !== "regular") throw busy(active);
    if (params.input.length === 0) throw invalidRequest("input must not be empty");
    if (params.outputSchema && !Bun.deepEquals(params.outputSchema, active.request.outputSchema)) {
      throw invalidRequest("the running turn has another outputSchema; wait until it ends");
    }
    active.steer(first);
    return { turn: active.toWire(null) };
  }
  applySettings(thread, params)?.();
  const request = {
    kind: "regular",
    outputSchema: params.outputSchema ?? null,
    metadata: params.responsesapiClientMetadata ?? {},
    rootTurnId: params.rootTurnId ?? null,
    serviceTier: params.serviceTierForTurn ?? null,
  } as const;
  return { turn: startTurn(thread, request, answerInput(first)) };
}
