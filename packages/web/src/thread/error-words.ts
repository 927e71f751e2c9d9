import { type CodexErrorInfo, codexErrorHttpStatus, codexErrorKind } from "@quire/protocol";
import { humanName } from "../items/format.ts";

/** A failed turn in words: what happened, and what to do about it. */
export interface ErrorWords {
  readonly title: string;
  readonly remedy: string | null;
}

const words: Readonly<Record<string, readonly [title: string, remedy: string | null]>> = {
  contextWindowExceeded: ["The context window is full", "Compact the thread (/compact) or start a new one."],
  sessionBudgetExceeded: ["The budget of this thread is used up", "Start a new thread, or raise the budget."],
  usageLimitExceeded: ["The usage limit is reached", "Wait until it resets, or use another account."],
  rateLimitExceeded: ["Too many requests", "Wait a little and send the message again."],
  flexUnavailable: ["No flex capacity at the moment", "Try again later, or choose another service tier."],
  serverOverloaded: ["The model provider is overloaded", "Wait a little and send the message again."],
  modelNotFound: ["The model was not found", "Choose another model below."],
  policyCapacityUnavailable: ["No capacity for this request", "Try again later."],
  cyberPolicy: ["Stopped by the provider's cyber policy", null],
  misalignmentPolicyViolation: ["Stopped by a safety policy", null],
  tooManyDenials: ["Too many requests were declined", "Tell the agent what it may do, then continue."],
  internalServerError: ["The model provider had an internal error", "Send the message again."],
  unauthorized: ["Not signed in", "Sign in under Settings, Account."],
  badRequest: ["The provider refused the request", null],
  threadRollbackFailed: ["The thread could not be rolled back", "Reload the page."],
  sandboxError: ["The sandbox failed", "Check that it is installed, or choose another sandbox mode."],
  httpConnectionFailed: ["The model provider could not be reached", "Check the network and the provider's address."],
  responseStreamConnectionFailed: ["The model provider's answer did not start", "Send the message again."],
  responseStreamDisconnected: ["The connection broke during the answer", "Send the message again."],
  responseTooManyFailedAttempts: ["The model provider kept failing", "Wait a little and send the message again."],
  activeTurnNotSteerable: ["This turn takes no messages", "Wait until it has ended."],
};

/** Failures over HTTP whose status says more than that the provider was not reached. */
const statusWords: ReadonlyMap<number, readonly [title: string, remedy: string]> = new Map([
  [401, ["The provider refused the key", "Sign in again under Account, or check the provider's key."]],
  [403, ["The provider refused access", "Check what this key or account may use."]],
  [404, ["The model or address was not found", "Choose another model, or check the provider's address."]],
  [429, ["Too many requests", "Wait a little, then send the message again."]],
] as const);
const providerFailed = ["The model provider failed", "Send the message again in a moment."] as const;

/** Kinds that only say that a request failed: the provider did answer. */
const answeredKinds: ReadonlySet<string> = new Set(["httpConnectionFailed", "responseTooManyFailedAttempts"]);

const ofStatus = (status: number): readonly [string, string] | undefined =>
  statusWords.get(status) ?? (status >= 500 ? providerFailed : undefined);

/** Puts the kind of an error in words; kinds of newer servers are shown by their name. */
export function errorWords(info: CodexErrorInfo | null | undefined): ErrorWords {
  const kind = codexErrorKind(info);
  if (kind === undefined || kind === "other") return { title: "The turn failed", remedy: null };
  const status = codexErrorHttpStatus(info);
  const answered = status !== undefined && answeredKinds.has(kind) ? ofStatus(status) : undefined;
  const [title, remedy] = answered ?? (Object.hasOwn(words, kind) ? words[kind] : undefined) ?? [humanName(kind), null];
  return { title: status === undefined ? title : `${title} (HTTP ${status})`, remedy };
}
