/** Attacks: resource exhaustion. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { linearPattern } from "@quire/protocol/pattern";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { loadedWords } from "../../src/config/trust/loaded-words.ts";
import { compileGlob } from "../../src/lib/glob.ts";
import { imageUrl } from "../../src/run/helpers/images.ts";
import { parseSkillHead } from "../../src/skills/skill-head.ts";
import { readRollout } from "../../src/store/rollout-bytes.ts";
import { isSettingsName } from "../../src/workspace-files/settings-names.ts";

const bomb = async (guarded: boolean, within: string): Promise<boolean> => {
  await using folder = await tempDir("quire-bomb-");
  const path = join(folder.path, "rollout.jsonl.zst");
  const part = Bun.zstdCompressSync(Buffer.alloc(1 << 20));
  writeFileSync(path, Buffer.concat(Array.from({ length: 80 }, () => part)));
  try {
    const unpacked = guarded
      ? readRollout(path, join(folder.path, within)).bytes
      : Bun.zstdDecompressSync(await Bun.file(path).bytes());
    return unpacked.length > 64 << 20;
  } catch {
    return false;
  }
};
attack("has a small packed rollout fill the memory", (guarded) => bomb(guarded, "."));
attack("has a small packed rollout from elsewhere fill the memory", (guarded) => bomb(guarded, "home"));

attack("takes over what unpacks a rollout from elsewhere, in the server", async (guarded) => {
  await using folder = await tempDir("quire-packed-");
  const path = join(folder.path, "rollout.jsonl.zst");
  writeFileSync(path, Bun.zstdCompressSync(Buffer.from("{}\n")));
  const zlib = process.getBuiltinModule("node:zlib") as unknown as { zstdDecompressSync: unknown };
  const { zstdDecompressSync: before } = zlib;
  let isTaken = false;
  // Stands for a decoder that runs what a stranger's file has it run.
  zlib.zstdDecompressSync = () => {
    isTaken = true;
    return Buffer.alloc(0);
  };
  try {
    readRollout(path, guarded ? join(folder.path, "home") : folder.path);
  } finally {
    zlib.zstdDecompressSync = before;
  }
  return isTaken;
});

for (const name of ["in the home", "from elsewhere"])
  test(`a packed rollout ${name} is read as it was written, and a damaged one is refused`, async () => {
    await using folder = await tempDir("quire-packed-");
    const home = name === "in the home" ? folder.path : join(folder.path, "home");
    const path = join(folder.path, "rollout.jsonl.zst");
    const written = `${JSON.stringify({ type: "x", payload: "y".repeat(3 << 20) })}\n`;
    writeFileSync(path, Bun.zstdCompressSync(Buffer.from(written)));
    assert.equal(readRollout(path, home).bytes.toString(), written);
    writeFileSync(path, "no frame");
    assert.throws(() => readRollout(path, home));
  });

attack("decodes a small image that takes hundreds of megabytes", async (guarded) => {
  const bytes = hugePng(8100);
  if (guarded) return (await imageUrl(bytes)) !== undefined;
  const script = "await new Bun.Image(await Bun.stdin.bytes(), { maxPixels: 1e9 }).resize(1, 1).bytes()";
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: "/", stdin: bytes, stdout: "ignore" });
  await child.exited;
  return (child.resourceUsage()?.maxRSS ?? 0) > 200 << 20;
});

/** A PNG of one colour: a few kilobytes, whatever its side. */
function hugePng(side: number): Buffer {
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
  const rows = zlib.deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side));
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** A text that counts how often it is looked at. */
class CountedText extends String {
  looks = 0;

  override codePointAt(index: number): number | undefined {
    this.looks++;
    return super.codePointAt(index);
  }

  override charCodeAt(index: number): number {
    this.looks++;
    return super.charCodeAt(index);
  }
}

/** Tries every length for each star, as an expression does. */
function naiveMatch(pattern: string, text: CountedText, at = 0): boolean {
  if (pattern === "") return at === text.length;
  if (pattern[0] === "*") {
    for (let end = at; end <= text.length; end++) if (naiveMatch(pattern.slice(1), text, end)) return true;
    return false;
  }
  return text.charCodeAt(at) === pattern.charCodeAt(0) && naiveMatch(pattern.slice(1), text, at + 1);
}

attack("stalls the server by stars in an ignore file", (guarded) => {
  const text = new CountedText("a".repeat(30));
  const pattern = "*a*a*a*a*a*a*b";
  if (guarded) compileGlob(pattern).matches(text as unknown as string);
  else naiveMatch(pattern, text);
  return text.looks > 100_000;
});

/** Whether the text from there on is `(a+)+`, every way to cut it being tried, as an expression does. */
function naiveRuns(text: CountedText, at = 0): boolean {
  for (let end = at + 1; end <= text.length && text.charCodeAt(end - 1) === 0x61; end++)
    if (end === text.length || naiveRuns(text, end)) return true;
  return false;
}

attack("stalls the server by the name of a tool that a hook's pattern almost fits", (guarded) => {
  const text = new CountedText(`${"a".repeat(18)}!`);
  if (guarded) linearPattern("^(a+)+$")?.test(text as unknown as string);
  else naiveRuns(text);
  return text.looks > 100_000;
});

test("long runs of blanks in files of a repository are gone through once", () => {
  const blanks = " ".repeat(400_000);
  // No YAML, so that it is read line by line.
  const head = parseSkillHead(`---\nname: "a": b\ndescription: x${blanks}y: "\n---\n`);
  assert.equal(typeof head === "string" ? head : head.description, "x y:");
  assert.deepEqual(loadedWords(`${"\n".repeat(200_000)}. ./lib.sh\n`), ["./lib.sh"]);
  assert.equal(isSettingsName(`${blanks}x`), false);
  assert.ok(isSettingsName(".codex. . "));
});
