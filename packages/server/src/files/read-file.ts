import { readFileSync, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { invalidRequest } from "../rpc-errors.ts";

/** What is encoded at a time: a multiple of three, so that the pieces join without padding between them. */
const pieceBytes = 3 * 256 * 1024;

/** The largest file that is read: as base64, more does not fit into one message of the usual limits. */
const maxBytes = 512 * 1024 * 1024;

/** Files up to this size are read at once: handing them to another thread takes longer than reading them. */
const smallBytes = 64 * 1024;

/** A file as base64. Never holds more of the file's own bytes than one piece. */
export async function readFileBase64(path: string): Promise<string> {
  const { size } = checked(path, statSync(path));
  if (size > 0 && size <= smallBytes) return readFileSync(path).toString("base64");
  const file = await open(path, "r");
  try {
    const pieces: string[] = [];
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(size + 1, 3)));
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, null);
      filled += bytesRead;
      if (bytesRead > 0 && filled < buffer.length) continue;
      // Only the last piece may have a length that needs padding.
      const whole = bytesRead === 0 ? filled : filled - (filled % 3);
      pieces.push(buffer.toString("base64", 0, whole));
      buffer.copyWithin(0, whole, filled);
      filled -= whole;
      if (bytesRead === 0) return pieces.length === 1 ? (pieces[0] as string) : pieces.join("");
    }
  } finally {
    await file.close();
  }
}

function checked(path: string, stats: Stats): Stats {
  if (!stats.isFile()) throw invalidRequest(`path \`${path}\` is not a file`);
  if (stats.size <= maxBytes) return stats;
  throw invalidRequest(`file \`${path}\` is too large: ${stats.size} bytes, at most ${maxBytes} are read`);
}
