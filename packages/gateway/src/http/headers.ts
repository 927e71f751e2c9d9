/**
 * Allows the page its own files: no inline script, none from elsewhere, and no request to elsewhere, not even for a
 * picture. Inline styles are allowed because the terminal writes its own.
 */
const contentSecurityPolicy = (frames: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Headers of every answer. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": contentSecurityPolicy("'none'"),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/**
 * Headers of the page at a host. It shows previews of dev servers on this machine, each with an origin of its own, and only at
 * the loopback name that the page itself is not at: what is shown there could otherwise lead to a server that gets the page's
 * cookie, for cookies know no ports.
 */
export function pageHeaders(host: string): Readonly<Record<string, string>> {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  const other = name === "localhost" ? "127.0.0.1" : /^127(?:\.\d+){3}$/.test(name) ? "localhost" : undefined;
  if (other === undefined) return securityHeaders;
  return { ...securityHeaders, "Content-Security-Policy": contentSecurityPolicy(`http://${other}:*`) };
}

/** An answer that is text, with the headers of every answer; not to be kept by anybody. */
export function textAnswer(status: number, text: string, more: Readonly<Record<string, string>> = {}): Response {
  const headers = {
    ...securityHeaders,
    "Cache-Control": "no-store",
    "Content-Type": "text/plain; charset=utf-8",
    ...more,
  };
  return new Response(`${text}\n`, { status, headers });
}

/** An answer that is JSON. */
export function jsonAnswer(value: unknown): Response {
  return Response.json(value, { headers: { ...securityHeaders, "Cache-Control": "no-store" } });
}

/** An answer that says all by its status. */
export function emptyAnswer(status: number, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...securityHeaders, "Cache-Control": "no-store", ...more } });
}
