import { problem } from "./responses.ts";

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Refuses what a page of another site could send. The host must be ours by name, since a foreign name may be made to
 * resolve to this machine; an origin, where there is one, must be ours too.
 */
export function refuseCrossOrigin(request: Request, port: number): Response | null {
  if (!isOurs(`http://${request.headers.get("host") ?? ""}`, port)) {
    return problem(403, {
      code: "forbidden_host",
      message: `Unknown host: use http://127.0.0.1:${port}/.`,
    });
  }
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const foreign = origin !== null ? !isOurs(origin, port) : site === "cross-site" || site === "same-site";
  // Following a link from elsewhere to the page is harmless: nothing is changed, and the other side reads nothing.
  const followed = origin === null && request.method === "GET" && request.headers.get("sec-fetch-mode") === "navigate";
  if (!foreign || followed) return null;
  return problem(403, {
    code: "forbidden_origin",
    message: "Cross-site requests are refused: open the dashboard directly.",
  });
}

function isOurs(address: string, port: number): boolean {
  const url = URL.parse(address);
  return url?.protocol === "http:" && loopback.has(url.hostname) && (url.port || "80") === String(port);
}
