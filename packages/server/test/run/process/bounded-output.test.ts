import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { random } from "@quire/testkit";
import { BoundedOutput } from "../../../src/run/process/bounded-output.ts";
import { WholeCharacters } from "../../../src/run/process/whole-characters.ts";

describe("bounded output", () => {
  test("beginning and end are kept, whatever the pieces it comes in", () => {
    const { int } = random();
    for (let round = 0; round < 300; round++) {
      const cap = int(0, 40);
      const all = Array.from({ length: int(0, 120) }, (_, n) => String.fromCharCode(97 + (n % 26))).join("");
      const output = new BoundedOutput(cap);
      for (let at = 0; at < all.length; ) {
        const size = int(1, 50);
        output.push(Buffer.from(all.slice(at, at + size)));
        at += size;
      }
      const head = Math.floor(cap / 2);
      const omitted = Math.max(0, all.length - cap);
      const cut = `${all.slice(0, head)}\n... ${omitted} bytes omitted ...\n${all.slice(all.length - (cap - head))}`;
      assert.equal(output.text(), omitted === 0 ? all : cut);
      assert.equal(output.total, all.length);
      assert.equal(output.omitted, omitted);
    }
  });
});

describe("whole characters", () => {
  test("text in any pieces arrives with no character cut, and broken bytes are let through", () => {
    const { int, bytes } = random();
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: int(0, 20) }, () => ["a", "é", "€", "😀"][int(0, 3)]).join("");
      const all = int(0, 3) === 0 ? Buffer.concat([Buffer.from(text), bytes(int(0, 8))]) : Buffer.from(text);
      const whole = new WholeCharacters();
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < all.length; ) {
        const size = int(1, 5);
        pieces.push(Uint8Array.from(whole.push(all.subarray(at, at + size))));
        at += size;
      }
      assert.ok(whole.rest().length <= 3 || assert.fail("held too much"));
      const joined = Buffer.concat(pieces);
      if (all.toString() === text) {
        assert.equal(pieces.map((piece) => Buffer.from(piece).toString()).join(""), text);
      } else assert.ok(all.length - joined.length <= 3);
    }
  });
});
