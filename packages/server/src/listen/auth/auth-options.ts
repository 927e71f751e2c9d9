import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ListenError } from "../listen-error.ts";
import type { Authenticator } from "./authenticator.ts";
import { capabilityToken, digest } from "./capability-token.ts";
import { signedBearerToken } from "./signed-bearer-token.ts";

/** The `--ws-*` flags of the command line, as given. */
export interface AuthOptions {
  readonly mode?: "capability-token" | "signed-bearer-token" | undefined;
  readonly tokenFile?: string | undefined;
  readonly tokenSha256?: string | undefined;
  readonly sharedSecretFile?: string | undefined;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly maxClockSkewSeconds?: number | undefined;
}

/** A shorter key could be guessed. */
const minSecretBytes = 32;
const defaultClockSkewSeconds = 30;

/** Makes what the flags ask for; `undefined` when they ask for nothing. Throws a {@link ListenError} for what does not fit. */
export function authenticatorOf(options: AuthOptions): Authenticator | undefined {
  const { mode, tokenFile, tokenSha256, sharedSecretFile, issuer, audience, maxClockSkewSeconds } = options;
  const capability = tokenFile !== undefined || tokenSha256 !== undefined;
  const signed = [sharedSecretFile, issuer, audience, maxClockSkewSeconds].some((value) => value !== undefined);
  if (mode === undefined) {
    if (!capability && !signed) return undefined;
    throw new ListenError(
      "websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`",
    );
  }
  if (mode === "capability-token") {
    if (signed) {
      throw new ListenError(
        "`--ws-shared-secret-file`, `--ws-issuer`, `--ws-audience`, and `--ws-max-clock-skew-seconds` require `--ws-auth signed-bearer-token`",
      );
    }
    return capabilityToken(tokenDigest(tokenFile, tokenSha256));
  }
  if (capability) {
    throw new ListenError(
      "`--ws-token-file` and `--ws-token-sha256` require `--ws-auth capability-token`, not `signed-bearer-token`",
    );
  }
  if (sharedSecretFile === undefined) {
    throw new ListenError("`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set");
  }
  const secret = readSecret(sharedSecretFile);
  if (Buffer.byteLength(secret) < minSecretBytes) {
    throw new ListenError(
      `signed websocket bearer secret ${sharedSecretFile} must be at least ${minSecretBytes} bytes`,
    );
  }
  return signedBearerToken({
    secret,
    issuer,
    audience,
    maxClockSkewSeconds: maxClockSkewSeconds ?? defaultClockSkewSeconds,
  });
}

function tokenDigest(file: string | undefined, sha256: string | undefined): Uint8Array {
  if (file !== undefined && sha256 !== undefined) {
    throw new ListenError("`--ws-token-file` and `--ws-token-sha256` are mutually exclusive");
  }
  if (file !== undefined) return digest(readSecret(file));
  if (sha256 === undefined) {
    throw new ListenError(
      "`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set",
    );
  }
  if (!/^[0-9a-f]{64}$/i.test(sha256)) {
    throw new ListenError("--ws-token-sha256 must be a 64-character hex SHA-256 digest");
  }
  return Buffer.from(sha256, "hex");
}

/** A secret without the newline that editors append. */
function readSecret(file: string): string {
  const path = resolve(file);
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new ListenError(`failed to read websocket auth secret ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (text === "") throw new ListenError(`websocket auth secret ${path} must not be empty`);
  return text;
}
