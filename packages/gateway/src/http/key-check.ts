import { jsonAnswer, textAnswer } from "./headers.ts";

/** A provider's word on a key; `unknown` where it could not be asked. */
type KeyVerdict = { readonly verdict: "good" } | { readonly verdict: "refused" | "unknown"; readonly reason: string };

const checkMs = 8000;
const maxBodyBytes = 8192;
/** Characters of a provider's words that are passed on. */
const maxReason = 300;

/**
 * `POST /api/key-check`: asks a provider of models whether it knows a key, by listing its models, which costs nothing.
 * The key goes to the address that the page names, as the server would send it, and is kept by nobody.
 */
export async function checkKey(request: Request): Promise<Response> {
  if (request.method !== "POST") return textAnswer(405, "Only POST is served here.", { Allow: "POST" });
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return textAnswer(415, "The key is expected as application/json.");
  }
  const asked = await readQuestion(request);
  if (asked === undefined) return textAnswer(400, "Expected {key, baseUrl} with an address that begins with http.");
  return jsonAnswer(await verdictOf(asked));
}

interface Question {
  readonly key: string;
  readonly baseUrl: string;
}

async function readQuestion(request: Request): Promise<Question | undefined> {
  try {
    const text = await request.text();
    if (text.length > maxBodyBytes) return undefined;
    const { key, baseUrl = defaultUrl() } = JSON.parse(text) as { key?: unknown; baseUrl?: unknown };
    if (typeof key !== "string" || /[^\x21-\x7e]/.test(key) || typeof baseUrl !== "string") return undefined;
    return /^https?:$/.test(new URL(baseUrl).protocol) ? { key, baseUrl } : undefined;
  } catch {
    return undefined;
  }
}

/** The address that a server in this process uses too, unless its configuration names another. */
const defaultUrl = (): string => process.env.OPENAI_BASE_URL?.trim() || "https://api.openai.com/v1";

async function verdictOf({ key, baseUrl }: Question): Promise<KeyVerdict> {
  try {
    const answer = await fetch(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers: { authorization: `Bearer ${key}` },
      // Another host must not learn the key.
      redirect: "error",
      signal: AbortSignal.timeout(checkMs),
    });
    if (answer.ok) {
      await answer.body?.cancel();
      return { verdict: "good" };
    }
    const reason = await reasonOf(answer);
    const isRefused = answer.status === 401 || answer.status === 403;
    return { verdict: isRefused ? "refused" : "unknown", reason: `HTTP ${answer.status}${reason && `: ${reason}`}` };
  } catch (error) {
    return { verdict: "unknown", reason: (error as Error).message.slice(0, maxReason) };
  }
}

/** The provider's own words, where its answer has some. */
async function reasonOf(answer: Response): Promise<string> {
  const text = await beginningOf(answer);
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const said = typeof error === "object" ? error.message : error;
    return typeof said === "string" ? said.slice(0, maxReason) : "";
  } catch {
    return "";
  }
}

/** As much of an answer as counts: it may have no end, and unpack to more than was sent. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body ?? []) {
    text += decoder.decode(part.subarray(0, maxBodyBytes), { stream: true });
    // Leaving it ends the request.
    if (text.length >= maxBodyBytes) break;
  }
  return text;
}
