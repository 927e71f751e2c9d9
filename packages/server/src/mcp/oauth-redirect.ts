/** The address that a server sends the browser back to. The same server always has the same, so that it can be registered. */
export function mcpOAuthRedirect(serverUrl: string, callbackUrl = "http://127.0.0.1/callback"): string {
  const url = new URL(callbackUrl);
  const id = new Bun.CryptoHasher("sha256").update(serverUrl).digest("base64url").slice(0, 12);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${id}`;
  return url.href;
}
