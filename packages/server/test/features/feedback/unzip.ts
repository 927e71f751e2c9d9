import { readFileSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";

/** The files of an archive by name, read from its directory as any unzip does. */
export async function unzipped(path: string): Promise<Map<string, string>> {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(Buffer.from("504b0506", "hex"));
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.toString("hex", at, at + 4) !== "504b0102") throw new Error(`no directory row at ${at}`);
    const [crc, packed] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const place = bytes.readUInt32LE(at + 42);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const start = place + 30 + bytes.readUInt16LE(place + 26) + bytes.readUInt16LE(place + 28);
    const content = inflateRawSync(bytes.subarray(start, start + packed));
    if (crc32(content) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, content.toString("utf8"));
    at += 46 + nameLength;
  }
  return files;
}
