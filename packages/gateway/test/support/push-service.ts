import { createDecipheriv, createECDH, createHmac, randomBytes } from "node:crypto";
import { eventually } from "@quire/testkit";

const hmac = (key: Buffer, ...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHmac("sha256", key);
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A push service with one browser behind it, which reads what it is sent. */
export interface PushService extends Disposable {
  /** The browser's subscription. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** `Authorization` headers of the messages. */
  readonly authorizations: readonly string[];
  /** Waits for the `index`th message. */
  hears(index?: number): Promise<Readonly<Record<string, unknown>>>;
  /** Says from now on that the browser is gone. */
  unsubscribe(): void;
}

/** Starts a push service. Whoever started it disposes of it. */
export function pushService(): PushService {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const messages: Record<string, unknown>[] = [];
  const authorizations: string[] = [];
  let isGone = false;
  /** The other half of RFC 8291. */
  const read = (body: Buffer): string => {
    const [salt, length] = [body.subarray(0, 16), body[20] ?? 0];
    const sender = body.subarray(21, 21 + length);
    const material = hmac(
      hmac(auth, browser.computeSecret(sender)),
      "WebPush: info\0",
      browser.getPublicKey(),
      sender,
      Buffer.of(1),
    );
    const pseudo = hmac(salt, material);
    const key = hmac(pseudo, "Content-Encoding: aes128gcm\0", Buffer.of(1)).subarray(0, 16);
    const nonce = hmac(pseudo, "Content-Encoding: nonce\0", Buffer.of(1)).subarray(0, 12);
    const sealed = body.subarray(21 + length);
    const cipher = createDecipheriv("aes-128-gcm", key, nonce);
    cipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return plain.subarray(0, -1).toString();
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (isGone) return new Response(null, { status: 410 });
      authorizations.push(request.headers.get("authorization") ?? "");
      messages.push(JSON.parse(read(Buffer.from(await request.arrayBuffer()))) as Record<string, unknown>);
      return new Response(null, { status: 201 });
    },
  });
  return {
    subscription: {
      endpoint: `http://127.0.0.1:${server.port}/for/one`,
      keys: { p256dh: browser.getPublicKey().toString("base64url"), auth: auth.toString("base64url") },
    },
    messages,
    authorizations,
    hears: (index = 0) => eventually(() => messages[index], { what: `message ${index} of the push service` }),
    unsubscribe: () => {
      isGone = true;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
