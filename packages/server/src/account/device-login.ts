import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../lib/error-message.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import { text } from "./claims.ts";
import { type IssuedTokens, type Issuer, IssuerError } from "./issuer.ts";
import { LoginFailure, type PendingLogin } from "./pending-login.ts";

/** Validity of a code. */
const codeLifeMs = 15 * 60 * 1000;
/** An issuer may ask for longer intervals, but not so long that the user waits in vain. */
const longestIntervalSec = 30;

/** A login by code: the user enters `userCode` at `verificationUrl`, on any machine. */
export interface DeviceLogin extends PendingLogin {
  readonly verificationUrl: string;
  readonly userCode: string;
}

/** Begins one. Rejects where the issuer gives no code. */
export async function deviceLogin(issuer: Issuer): Promise<DeviceLogin> {
  const ending = new AbortController();
  const answer = await issuer
    .post("/api/accounts/deviceauth/usercode", { client_id: issuer.clientId }, ending.signal)
    .catch((error: unknown) => {
      throw new LoginFailure(`failed to request device code: ${errorMessage(error)}`);
    });
  const deviceId = text(answer.device_auth_id);
  const userCode = text(answer.user_code) ?? text(answer.usercode);
  if (deviceId === null || userCode === null)
    throw new LoginFailure("failed to request device code: the answer holds none");
  const interval = Math.min(Math.max(Number(answer.interval) || 5, 1), longestIntervalSec);
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(codeLifeMs)]);
  const waiting = waitForUser(
    issuer,
    { device_auth_id: deviceId, user_code: userCode },
    { intervalMs: interval * 1000, signal },
  );
  return {
    id: crypto.randomUUID(),
    userCode,
    verificationUrl: `${issuer.url}/codex/device`,
    done: untilAborted(waiting, signal).catch((error: unknown) => {
      throw error instanceof LoginFailure ? error : new LoginFailure("device auth timed out after 15 minutes");
    }),
    cancel: (why) => ending.abort(new LoginFailure(why)),
  };
}

interface Polling {
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

async function waitForUser(issuer: Issuer, code: object, { intervalMs, signal }: Polling): Promise<IssuedTokens> {
  for (;;) {
    try {
      const granted = await issuer.post("/api/accounts/deviceauth/token", code, signal);
      return await exchange(issuer, granted, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof LoginFailure) throw error;
      // Not entered yet; or no answer this time, which the next may have.
      const waits = error instanceof IssuerError && [null, 403, 404, 429].includes(error.status);
      if (!waits) throw new LoginFailure(`device auth failed: ${errorMessage(error)}`);
    }
    await sleep(intervalMs, undefined, { signal });
  }
}

async function exchange(
  issuer: Issuer,
  granted: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<IssuedTokens> {
  try {
    const code = text(granted.authorization_code) ?? "";
    return await issuer.exchange(code, text(granted.code_verifier) ?? "", `${issuer.url}/deviceauth/callback`, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new LoginFailure(`device code exchange failed: ${errorMessage(error)}`);
  }
}
