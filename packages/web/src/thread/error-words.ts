import { type CodexErrorInfo, codexErrorHttpStatus, codexErrorKind } from "@quire/protocol";
import { humanName } from "../items/format.ts";
import { threadWords } from "../words/words.ts";

/** A failed turn in words: what happened, and what to do about it. */
export interface ErrorWords {
  readonly title: string;
  readonly remedy: string | null;
}

const words: Readonly<Record<string, readonly [title: string, remedy: string | null]>> = {
  contextWindowExceeded: [threadWords.contextWindowFull, threadWords.compactThreadCompactStartNew],
  sessionBudgetExceeded: [threadWords.budgetThreadUsedUp, threadWords.startNewThreadRaiseBudget],
  usageLimitExceeded: [threadWords.usageLimitReached, threadWords.waitUntilResetsUseAnother],
  rateLimitExceeded: [threadWords.tooManyRequests, threadWords.waitAndSendAgain],
  flexUnavailable: [threadWords.noFlexCapacityMoment, threadWords.tryAgainLaterChooseAnother],
  serverOverloaded: [threadWords.modelProviderOverloaded, threadWords.waitAndSendAgain],
  modelNotFound: [threadWords.modelNotFound, threadWords.chooseAnotherModelBelow],
  policyCapacityUnavailable: [threadWords.noCapacityRequest, threadWords.tryAgainLater],
  cyberPolicy: [threadWords.stoppedProvidersCyberPolicy, null],
  misalignmentPolicyViolation: [threadWords.stoppedSafetyPolicy, null],
  tooManyDenials: [threadWords.tooManyRequestsDeclined, threadWords.tellAgentMayDoContinue],
  internalServerError: [threadWords.modelProviderHadInternalError, threadWords.sendMessageAgain],
  unauthorized: [threadWords.notSigned, threadWords.signUnderSettingsAccount],
  badRequest: [threadWords.providerRefusedRequest, null],
  threadRollbackFailed: [threadWords.threadCouldNotRolledBack, threadWords.reloadPage],
  sandboxError: [threadWords.sandboxFailed, threadWords.checkInstalledChooseAnotherSandbox],
  httpConnectionFailed: [threadWords.modelProviderCouldNotReached, threadWords.checkNetworkProvidersAddress],
  responseStreamConnectionFailed: [threadWords.modelProvidersAnswerDidNot, threadWords.sendMessageAgain],
  responseStreamDisconnected: [threadWords.connectionBrokeDuringAnswer, threadWords.sendMessageAgain],
  responseTooManyFailedAttempts: [threadWords.modelProviderKeptFailing, threadWords.waitAndSendAgain],
  activeTurnNotSteerable: [threadWords.turnTakesNoMessages, threadWords.waitUntilEnded],
};

/** Failures over HTTP whose status says more than that the provider was not reached. */
const statusWords: ReadonlyMap<number, readonly [title: string, remedy: string]> = new Map([
  [401, [threadWords.providerRefusedKey, threadWords.signAgainUnderAccountCheck]],
  [403, [threadWords.providerRefusedAccess, threadWords.checkKeyAccountMayUse]],
  [404, [threadWords.modelAddressNotFound, threadWords.chooseAnotherModelCheckProviders]],
  [429, [threadWords.tooManyRequests, threadWords.waitLittleSendMessageAgain]],
] as const);
const providerFailed = [threadWords.modelProviderFailed, threadWords.sendMessageAgainMoment] as const;

/** Kinds that only say that a request failed: the provider did answer. */
const answeredKinds: ReadonlySet<string> = new Set(["httpConnectionFailed", "responseTooManyFailedAttempts"]);

const ofStatus = (status: number): readonly [string, string] | undefined =>
  statusWords.get(status) ?? (status >= 500 ? providerFailed : undefined);

/** Puts the kind of an error in words; kinds of newer servers are shown by their name. */
export function errorWords(info: CodexErrorInfo | null | undefined): ErrorWords {
  const kind = codexErrorKind(info);
  if (kind === undefined || kind === "other") return { title: threadWords.turnFailedTitle, remedy: null };
  const status = codexErrorHttpStatus(info);
  const answered = status !== undefined && answeredKinds.has(kind) ? ofStatus(status) : undefined;
  const [title, remedy] = answered ?? (Object.hasOwn(words, kind) ? words[kind] : undefined) ?? [humanName(kind), null];
  return { title: status === undefined ? title : `${title} (HTTP ${status})`, remedy };
}
