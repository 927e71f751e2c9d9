import { createCipheriv, createECDH, createHmac, type ECDH, randomBytes } from "node:crypto";

/** Keys of a browser's subscription, as it gives them, in base64url. */
export interface PushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Random parts of one message; given only to compare it with a known one. */
interface Chance {
  readonly sender: ECDH;
  readonly salt: Buffer;
}

/** Encrypts a message for a browser (RFC 8291, `aes128gcm` of RFC 8188, in one record). Throws for keys that are none. */
export function encryptPush(text: string, { p256dh, auth }: PushKeys, chance: Chance = fresh()): Buffer {
  const receiver = Buffer.from(p256dh, "base64url");
  const { sender, salt } = chance;
  const secret = sender.computeSecret(receiver);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender.getPublicKey()]);
  const material = expand(extract(Buffer.from(auth, "base64url"), secret), info, 32);
  const pseudo = extract(salt, material);
  const key = expand(pseudo, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = expand(pseudo, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The octet 2 ends the last record.
  const body = Buffer.concat([
    cipher.update(text, "utf8"),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(4096);
  const id = sender.getPublicKey();
  return Buffer.concat([salt, size, Buffer.of(id.length), id, body]);
}

function fresh(): Chance {
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  return { sender, salt: randomBytes(16) };
}

const extract = (salt: Buffer, material: Buffer): Buffer => createHmac("sha256", salt).update(material).digest();

/** HKDF with one block, which is enough for all that is derived here. */
const expand = (key: Buffer, info: Buffer, length: number): Buffer =>
  createHmac("sha256", key).update(info).update(Buffer.of(1)).digest().subarray(0, length);
