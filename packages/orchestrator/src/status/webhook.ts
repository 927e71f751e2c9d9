import { createHmac, timingSafeEqual } from "node:crypto";
import type { OrchestratorControl } from "../events/control.ts";
import { json, problem } from "./responses.ts";

/** Path that trackers and forges send their webhooks to. */
export const webhookPath = "/webhook";

/** Time in which webhooks that come together cause one look at the tracker. */
const gatherMs = 1000;

/** Options of {@link Webhooks}. */
export interface WebhookOptions {
  readonly control: Pick<OrchestratorControl, "refresh">;
  /** The secret now; null where there are to be none. */
  secret(): string | null;
}

/**
 * Takes webhooks as a hint to look at the tracker now. Nothing that they say is read, so a forged one could at most cause a
 * look; without the right signature it does not even do that.
 */
export class Webhooks implements Disposable {
  readonly #options: WebhookOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  async answer(request: Request): Promise<Response> {
    const secret = this.#options.secret();
    if (secret === null) return problem(404, { code: "not_found", message: "Set server.webhook_secret first." });
    if (request.method !== "POST") {
      const error = { code: "method_not_allowed", message: "Webhooks are sent by POST." };
      return problem(405, error, { allow: "POST" });
    }
    const body = new Uint8Array(await request.arrayBuffer());
    if (!isSigned(request.headers, body, secret)) {
      const message = "The signature is missing or wrong: give the tracker the secret of server.webhook_secret.";
      return problem(401, { code: "unauthorized", message });
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#options.control.refresh();
    }, gatherMs);
    return json({ queued: true }, 202);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** True for a body that was signed as GitHub, Jira and Linear sign, or that came with GitLab's token. */
function isSigned(headers: Headers, body: Uint8Array, secret: string): boolean {
  const hmac = createHmac("sha256", secret).update(body).digest("hex");
  const signature =
    headers.get("x-hub-signature-256") ?? headers.get("x-hub-signature") ?? headers.get("linear-signature");
  if (signature !== null) return same(signature.replace(/^sha256=/, ""), hmac);
  const token = headers.get("x-gitlab-token");
  return token !== null && same(token, secret);
}

function same(given: string, wanted: string): boolean {
  // Digests have one length: how long the comparison takes tells nothing.
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
