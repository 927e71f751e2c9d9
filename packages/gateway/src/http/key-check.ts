import { jsonAnswer, textAnswer } from "./headers.ts";

/** A provider's word on a key; `unknown` where it could not be asked. */
type KeyVerdict =
  | { readonly verdict: "good"; readonly models: readonly string[] }
  | { readonly verdict: "refused" | "unknown"; readonly reason: string };

const checkMs = 8000;
const maxBodyBytes = 8192;
/** Characters of a provider's words that are passed on. */
const maxReason = 300;
/** Bytes of a provider's list that are read, and the models of it that are passed on. */
const maxListBytes = 2 * 1024 * 1024;
const maxModels = 1000;

/**
 * `POST /api/key-check`: asks a provider of models whether it knows a key, by listing its models, which costs nothing.
 * A server of local models is found in the same way, without a key.
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
  /** Empty for a provider that needs none. */
  readonly key: string;
  readonly baseUrl: string;
  readonly wireApi: string;
}

async function readQuestion(request: Request): Promise<Question | undefined> {
  try {
    const text = await request.text();
    if (text.length > maxBodyBytes) return undefined;
    const asked = JSON.parse(text) as { key?: unknown; baseUrl?: unknown; wireApi?: unknown };
    const { key, baseUrl = defaultUrl(), wireApi = "responses" } = asked;
    if (typeof key !== "string" || /[^\x21-\x7e]/.test(key) || typeof baseUrl !== "string") return undefined;
    if (typeof wireApi !== "string") return undefined;
    return /^https?:$/.test(new URL(baseUrl).protocol) ? { key, baseUrl, wireApi } : undefined;
  } catch {
    return undefined;
  }
}

/** The address that a server in this process uses too, unless its configuration names another. */
const defaultUrl = (): string => process.env.OPENAI_BASE_URL?.trim() || "https://api.openai.com/v1";

/** The header that carries a key, by the API that a provider speaks. */
function keyHeaders({ key, wireApi }: Question): Record<string, string> {
  if (wireApi === "anthropic") return { "anthropic-version": "2023-06-01", ...(key !== "" && { "x-api-key": key }) };
  if (key === "") return {};
  return wireApi === "gemini" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` };
}

async function verdictOf(question: Question): Promise<KeyVerdict> {
  try {
    const answer = await fetch(`${question.baseUrl.replace(/\/+$/, "")}/models`, {
      headers: keyHeaders(question),
      // Another host must not learn the key.
      redirect: "error",
      signal: AbortSignal.timeout(checkMs),
    });
    if (answer.ok) return { verdict: "good", models: modelsIn(await beginningOf(answer, maxListBytes)) };
    const reason = await reasonOf(answer);
    const isRefused = answer.status === 401 || answer.status === 403;
    return { verdict: isRefused ? "refused" : "unknown", reason: `HTTP ${answer.status}${reason && `: ${reason}`}` };
  } catch (error) {
    return { verdict: "unknown", reason: (error as Error).message.slice(0, maxReason) };
  }
}

/** Names of the models in a provider's list; none where it is no list. */
function modelsIn(text: string): readonly string[] {
  try {
    const { data, models } = JSON.parse(text) as { data?: unknown; models?: unknown };
    const rows: readonly unknown[] = [data, models].find((list) => Array.isArray(list)) ?? [];
    const names = rows.flatMap((row) => {
      const { id, name } = (row ?? {}) as { id?: unknown; name?: unknown };
      const said = id ?? name;
      return typeof said === "string" ? [said.replace(/^models\//, "").slice(0, maxReason)] : [];
    });
    return names.slice(0, maxModels);
  } catch {
    return [];
  }
}

/** The provider's own words, where its answer has some. */
async function reasonOf(answer: Response): Promise<string> {
  const text = await beginningOf(answer, maxBodyBytes);
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const said = typeof error === "object" ? error.message : error;
    return typeof said === "string" ? said.slice(0, maxReason) : "";
  } catch {
    return "";
  }
}

/** As much of an answer as counts: it may have no end, and unpack to more than was sent. */
async function beginningOf({ body }: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body ?? []) {
    text += decoder.decode(part.subarray(0, limit), { stream: true });
    // Leaving it ends the request.
    if (text.length >= limit) break;
  }
  return text;
}
