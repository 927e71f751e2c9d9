/** Bytes on their own memory: `Uint8Array<ArrayBuffer>` where the compiler's `Uint8Array` is generic, which it is since 5.7. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

// What newer runtimes bring; the fallback below is for the others.
interface NativeBase64 {
  readonly fromBase64?: (text: string) => Bytes;
  readonly prototype: { readonly toBase64?: () => string };
}
const native = Uint8Array as unknown as NativeBase64;

/** Bytes encoded at a time: a multiple of 3, and few enough to be arguments of one call. */
const encodeStep = 3 * 8192;
/** Characters decoded at a time: a multiple of 4, so that no intermediate string is as large as a whole file. */
const decodeStep = 4 * 65_536;

const encoder = new TextEncoder();

/** Text as UTF-8, bytes as they are. */
export function toBytes(data: string): Bytes;
export function toBytes(data: string | Uint8Array): Uint8Array;
export function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? encoder.encode(data) : data;
}

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  if (native.prototype.toBase64) return native.prototype.toBase64.call(bytes);
  let text = "";
  for (let at = 0; at < bytes.length; at += encodeStep) {
    const part = bytes.subarray(at, at + encodeStep) as unknown as number[];
    text += btoa(String.fromCharCode.apply(null, part));
  }
  return text;
}

/** Decodes base64. Throws on text that is none. */
export function decodeBase64(text: string): Bytes {
  if (native.fromBase64) return native.fromBase64(text);
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) - padding);
  let end = 0;
  for (let at = 0; at < text.length; at += decodeStep) {
    const part = atob(text.slice(at, at + decodeStep));
    for (let index = 0; index < part.length; index++) bytes[end++] = part.charCodeAt(index);
  }
  return bytes;
}
