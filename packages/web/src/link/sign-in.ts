/** Takes the token out of an address's fragment; null where there is none. */
export function tokenIn(hash: string): string | null {
  const match = /^#(?:.*&)?token=([^&]+)/.exec(hash);
  return match?.[1] === undefined ? null : decodeURIComponent(match[1]);
}

/**
 * Hands a token from the address over for a cookie, and removes it from the address bar and the history before anything
 * else can read or share it. Resolves with whether the gateway accepted it; true where there was none to hand over.
 */
export async function signIn(location: Location, history: History): Promise<boolean> {
  const token = tokenIn(location.hash);
  if (token === null) return true;
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  return sendToken(token);
}

/** The token in what somebody pasted: the token itself, or an address that ends in it. */
export function tokenOf(pasted: string): string {
  const text = pasted.trim();
  const hash = text.indexOf("#");
  return (hash < 0 ? null : tokenIn(text.slice(hash))) ?? text;
}

/** Exchanges a token for a cookie; false where the gateway does not accept it. */
export async function sendToken(token: string): Promise<boolean> {
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
    credentials: "same-origin",
  });
  return response.ok;
}

/** False once the gateway no longer knows this browser. True for a gateway that cannot be reached. */
export async function isSignedIn(): Promise<boolean> {
  try {
    const response = await fetch("/api/session", { credentials: "same-origin" });
    return response.status !== 401 && response.status !== 403;
  } catch {
    return true;
  }
}
