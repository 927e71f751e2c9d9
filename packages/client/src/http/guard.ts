/** Largest body that is read. */
const maxBodyBytes = 16 * 1024 * 1024;

/** A request that is refused, with the status and the words of the reply. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Refuses requests that a page of another site has its visitor's browser send. Such a page may not even learn of a thread. */
export function refuseOtherSites(request: Request, origins: readonly string[]): void {
  const origin = request.headers.get("origin");
  if (origin !== null) {
    if (origins.includes(origin) || hostOf(origin) === (request.headers.get("host") ?? new URL(request.url).host))
      return;
    throw new Refusal(403, `Pages of ${origin} may not call this: add it to \`origins\` if it is yours`);
  }
  // Browsers leave the origin out of simple requests; these say where they come from.
  const site = request.headers.get("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") throw new Refusal(403, "Pages of other sites may not call this");
}

/** Reads a body of JSON. Nothing else is taken: a form of another site cannot send this type. */
export async function readJson(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal(415, "Send a body of application/json");
  const text = await readText(request);
  try {
    const value: unknown = text === "" ? {} : JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Answered below.
  }
  throw new Refusal(400, "The body is no JSON object");
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return "";
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let bytes = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBodyBytes) {
      await reader.cancel();
      throw new Refusal(413, `The body is larger than ${maxBodyBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function hostOf(origin: string): string | undefined {
  // A page of a file or a sandboxed frame has the origin `null`.
  return /^https?:\/\//.test(origin) ? origin.replace(/^https?:\/\//, "") : undefined;
}
