import type { AuthOptions } from "@quire/server/listen";
import type { Flags, FlagValues } from "./flag.ts";

/** Options of a server that say which WebSocket clients may connect. */
export const authFlags = {
  wsAuth: {
    type: "text",
    value: "MODE",
    choices: ["capability-token", "signed-bearer-token"],
    help: "Authentication of WebSocket clients, in their Authorization header.",
  },
  wsTokenFile: { type: "text", value: "PATH", help: "Absolute path to the file that holds the capability token." },
  wsTokenSha256: { type: "text", value: "HEX", help: "SHA-256 of the capability token, in place of the token itself." },
  wsSharedSecretFile: {
    type: "text",
    value: "PATH",
    help: "Absolute path to the file that holds the secret with which JWTs are signed (HMAC-SHA-256, at least 32 bytes).",
  },
  wsIssuer: { type: "text", value: "ISSUER", help: "Issuer that signed tokens must name." },
  wsAudience: { type: "text", value: "AUDIENCE", help: "Audience that signed tokens must name." },
  wsMaxClockSkewSeconds: {
    type: "number",
    value: "SECONDS",
    fallback: "30",
    help: "Maximum clock difference between issuer and server.",
  },
} as const satisfies Flags;

/** The requirements for clients; `undefined` where no flag of it was given, so that nothing of it is loaded. */
export function authOptions(flags: FlagValues<typeof authFlags>): AuthOptions | undefined {
  const options: AuthOptions = {
    mode: flags.wsAuth,
    tokenFile: flags.wsTokenFile,
    tokenSha256: flags.wsTokenSha256,
    sharedSecretFile: flags.wsSharedSecretFile,
    issuer: flags.wsIssuer,
    audience: flags.wsAudience,
    maxClockSkewSeconds: flags.wsMaxClockSkewSeconds,
  };
  return Object.values(options).some((value) => value !== undefined) ? options : undefined;
}
