import { closeSync, readSync } from "node:fs";
import type { Turn } from "@quire/protocol";
import { runGently } from "../lib/time-slice.ts";
import { openPinned } from "../workspace-files/pinned-file.ts";
import { type Fields, fields, text } from "./codex/fields.ts";
import { newline } from "./outline/line-heads.ts";
import { outlineOwn } from "./outline/own-outline.ts";
import { TurnOutline } from "./outline/turn-outline.ts";
import { OutlinedTurns } from "./read-turns.ts";
import { parseLine } from "./rollout-bytes.ts";
import { isCompressed, isStoredId } from "./rollout-files.ts";

/** Options of {@link readLastTurns}. */
export interface LastTurnsOptions {
  readonly home: string;
  /** The number of turns. */
  readonly limit: number;
  /** Bytes of the first look at the end; each further one is four times as long. Default 128 KiB. */
  readonly firstBytes?: number;
}

/** The longest end to look at: by then the whole is as good. */
const maxBytes = 1 << 24;

/** The longest first line that is looked for. */
const maxHeadBytes = 1 << 18;

/**
 * Reads the last turns of a rollout that we have written, from its end. `undefined` where there are no others before
 * them, and for a file that does not show them like that: then the whole is read.
 */
export async function readLastTurns(path: string, options: LastTurnsOptions): Promise<readonly Turn[] | undefined> {
  if (isCompressed(path)) return undefined;
  try {
    const { descriptor, stats } = openPinned(path, { home: options.home });
    try {
      return await lastTurns({ descriptor, size: stats.size }, options);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Whatever it is, it shows again when all is read, or is none of it.
    return undefined;
  }
}

interface OpenRollout {
  readonly descriptor: number;
  readonly size: number;
}

async function lastTurns(
  file: OpenRollout,
  { limit, firstBytes = 1 << 17 }: LastTurnsOptions,
): Promise<readonly Turn[] | undefined> {
  const meta = ownMeta(file);
  if (!meta) return undefined;
  for (let length = firstBytes; length < file.size && length <= maxBytes; length *= 4) {
    const bytes = readPart(file, file.size - length, length);
    const start = bytes.indexOf(newline) + 1;
    if (start === 0) continue;
    const end = bytes.subarray(start);
    const found = new OutlinedTurns(meta, end, await runGently(outlineOwn(end, TurnOutline.ofEnd())));
    if (found.count > limit) return found.read(found.count - limit, found.count);
  }
  return undefined;
}

/** The first line of a rollout of ours that continues no other file. */
function ownMeta(file: OpenRollout): Fields | undefined {
  const head = readPart(file, 0, Math.min(maxHeadBytes, file.size));
  const first = parseLine(head, 0, head.indexOf(newline));
  const payload = fields(first?.payload);
  const isOwn = first?.type === "session_meta" && payload.quire && !payload.history_base;
  return isOwn && isStoredId(text(payload.id)) ? payload : undefined;
}

function readPart({ descriptor }: OpenRollout, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let count = 0;
  for (let read = -1; read !== 0 && count < length; count += read)
    read = readSync(descriptor, bytes, count, length - count, from + count);
  return bytes.subarray(0, count);
}
