import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Scenario } from "../../lib/scenario.ts";
import { endOfTurn, startThread } from "../../lib/steps.ts";

/** A black PNG with this many pixels on each side: a few kilobytes. */
function blackPng(side: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), content]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(content.length);
    sum.writeUInt32BE(Bun.hash.crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side));
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** Input that is too large. */
export const limits: readonly Scenario[] = [
  {
    name: "limits/large-image",
    covers: "An image of more than 64 megapixels",
    run: async (stage) => {
      const peer = await stage.connect();
      const path = join(stage.cwd, "large.png");
      writeFileSync(path, blackPng(8200));
      const { id } = await startThread(peer);
      await peer.result("turn/start", { threadId: id, input: [{ type: "localImage", path }] });
      await endOfTurn(peer);
    },
    differences: [
      {
        at: /^model input (lacks: user \{"type":"input_image"|adds: user "image content omitted)/,
        reason:
          "An image of more than 64 megapixels is left out, with a word to the model: decoding it takes four bytes for each pixel, however small its file is. Codex decodes it.",
      },
    ],
  },
];
