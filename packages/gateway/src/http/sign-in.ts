import type { Access } from "./access.ts";
import { emptyAnswer, textAnswer } from "./headers.ts";

const maxBodyBytes = 4096;
/** Delay before a wrong token is refused, and how many may wait at once: nobody gets through a list. */
const refusalMs = 250;
const maxChecks = 8;
const wrong = "This is not the token. Open the URL that quire printed.";

/** `/api/session`: a page shows the token and gets a cookie; with GET it asks whether it has a good one. */
export class SignIn {
  readonly #access: Access;
  #checks = 0;

  constructor(access: Access) {
    this.#access = access;
  }

  async answer(request: Request): Promise<Response> {
    if (request.method === "GET") return this.#access.isSignedIn(request) ? emptyAnswer(204) : emptyAnswer(401);
    if (request.method !== "POST") return textAnswer(405, "Only GET and POST are served here.", { Allow: "GET, POST" });
    // A form of another page cannot have this type.
    if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
      return textAnswer(415, "The token is expected as application/json.");
    }
    // Read before it is counted, so that a body that is sent slowly keeps nobody else out.
    const token = await readToken(request);
    if (token === undefined) return textAnswer(401, wrong);
    if (this.#checks >= maxChecks) return textAnswer(429, "Too many at once; try again.", { "Retry-After": "1" });
    this.#checks++;
    try {
      return await this.#check(request, token);
    } finally {
      this.#checks--;
    }
  }

  async #check(request: Request, token: string): Promise<Response> {
    if (this.#access.knows(token)) return emptyAnswer(204, { "Set-Cookie": this.#access.cookieFor(request) });
    await Bun.sleep(refusalMs);
    return textAnswer(401, wrong);
  }
}

async function readToken(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return undefined;
  try {
    const text = await request.text();
    if (text.length > maxBodyBytes) return undefined;
    const { token } = JSON.parse(text) as { token?: unknown };
    return typeof token === "string" ? token : undefined;
  } catch {
    return undefined;
  }
}
