import type {
  AccountLoginCompletedNotification,
  CancelLoginAccountStatus,
  ChatgptAuthTokensLoginAccountParams,
  ChatgptDeviceCodeLoginAccountParams,
  ChatgptLoginAccountParams,
  LoginAccountParams,
  LoginAccountResponse,
} from "@quire/protocol";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import { Completion } from "./completion.ts";
import { LoginError } from "./login-error.ts";

/** A way to log in: one of two words, a key, tokens that the caller holds, or the wire's own params. */
export type LoginRequest =
  | "chatgpt"
  | "chatgptDeviceCode"
  | { readonly apiKey: string; readonly type?: undefined }
  | (Omit<ChatgptAuthTokensLoginAccountParams, "type"> & { readonly type?: undefined })
  | LoginAccountParams;

/** A login under way. */
export interface Login {
  /** The kind of login. */
  readonly type: LoginAccountResponse["type"];
  /** The server's name for it; `undefined` if it was complete at once. */
  readonly loginId: string | undefined;
  /** The page that the user has to open. */
  readonly url: string | undefined;
  /** The code that the user has to enter there. */
  readonly userCode: string | undefined;
  /** Resolves when the user is logged in. Rejects with a {@link LoginError} when that failed or was cancelled. */
  readonly completed: Promise<AccountLoginCompletedNotification>;
  /** Gives the login up. `notFound` means that it was over. */
  cancel(): Promise<CancelLoginAccountStatus>;
}

/** A login that the user completes in a browser on the server's machine. */
export interface BrowserLogin extends Login {
  readonly type: "chatgpt";
  readonly loginId: string;
  readonly url: string;
}

/** A login that the user completes on any device, by entering a code. */
export interface DeviceCodeLogin extends Login {
  readonly type: "chatgptDeviceCode";
  readonly loginId: string;
  readonly url: string;
  readonly userCode: string;
}

/** The kind of login that a request leads to. */
export type LoginFor<R extends LoginRequest> = R extends "chatgpt" | ChatgptLoginAccountParams
  ? BrowserLogin
  : R extends "chatgptDeviceCode" | ChatgptDeviceCodeLoginAccountParams
    ? DeviceCodeLogin
    : Login;

/**
 * Starts a login. Without a key or tokens, show the user `url` (and `userCode`). `completed` tells the outcome. Aborting the signal cancels it, also later.
 */
export async function login<const R extends LoginRequest>(
  port: ServerPort,
  request: R,
  options: CallOptions = {},
): Promise<LoginFor<R>> {
  const { signal } = options;
  const completion = new Completion(port, "account/login/completed");
  let reply: LoginAccountResponse;
  try {
    reply = await port.request("account/login/start", toParams(request), options);
  } catch (error) {
    completion.stop();
    throw error;
  }
  // The types follow from the request; that the server answers in kind is the protocol's promise.
  return (
    "loginId" in reply ? pending(port, completion, reply, signal) : atOnce(completion, reply, signal)
  ) as LoginFor<R>;
}

function toParams(request: LoginRequest): LoginAccountParams {
  if (typeof request === "string") return { type: request };
  if (request.type !== undefined) return request;
  if ("apiKey" in request) return { type: "apiKey", apiKey: request.apiKey };
  return { ...request, type: "chatgptAuthTokens" };
}

/** Keys and tokens are taken at once; a completion that names no login says whether they are good. */
function atOnce(
  completion: Completion<"account/login/completed">,
  { type }: LoginAccountResponse,
  signal: AbortSignal | undefined,
): Login {
  const isMine = (params: { readonly loginId?: string | null }) => params.loginId == null;
  const completed = completion.expect({ isMine, loginId: undefined, signal });
  return { type, loginId: undefined, url: undefined, userCode: undefined, completed, cancel: async () => "notFound" };
}

function pending(
  port: ServerPort,
  completion: Completion<"account/login/completed">,
  reply: Extract<LoginAccountResponse, { loginId: string }>,
  signal: AbortSignal | undefined,
): Login {
  const { type, loginId } = reply;
  const cancel = async (): Promise<CancelLoginAccountStatus> => {
    const { status } = await port.request("account/login/cancel", { loginId });
    completion.fail(new LoginError("The login was cancelled", loginId));
    return status;
  };
  const completed = completion.expect({
    isMine: (params) => params.loginId === loginId,
    loginId,
    signal,
    onAbort: () => void cancel().catch(() => undefined),
  });
  const device = type === "chatgptDeviceCode";
  const url = device ? reply.verificationUrl : reply.authUrl;
  return { type, loginId, url, userCode: device ? reply.userCode : undefined, completed, cancel };
}
