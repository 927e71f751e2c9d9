import type { GitCredential } from "./forge.ts";

/** A user name and a token as git sends them over HTTP. */
export function basicCredential(origin: string, user: string, token: string): GitCredential {
  return { origin, header: `Authorization: Basic ${Buffer.from(`${user}:${token}`).toString("base64")}` };
}
