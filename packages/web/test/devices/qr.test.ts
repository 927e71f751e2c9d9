import assert from "node:assert/strict";
import { test } from "node:test";
import { type QrCode, qrCode } from "../../src/devices/qr.ts";

const isFunction = (size: number, x: number, y: number): boolean => {
  const version = (size - 17) / 4;
  const centres = version === 1 ? [] : [6, size - 7];
  const inFinder = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  const near = (at: number) => centres.some((centre) => Math.abs(centre - at) <= 2);
  const [last = 0] = centres.slice(-1);
  const isCorner = (x < 9 && y < 9) || (x < 9 && y > last - 3) || (y < 9 && x > last - 3);
  return inFinder || x === 6 || y === 6 || (near(x) && near(y) && !isCorner);
};

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_i, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];

/** Reads a code of one block, up to version 5, as a scanner does once it has found the modules. */
function scan(code: QrCode): string {
  const size = code.length;
  const at = (x: number, y: number): number => (code[y]?.[x] === true ? 1 : 0);
  const places: readonly (readonly [number, number])[] = [
    ...[0, 1, 2, 3, 4, 5, 7].map((x) => [x, 8] as const),
    ...[8, 7, 5, 4, 3, 2, 1, 0].map((y) => [8, y] as const),
  ];
  const format = places.reduce((bits, [x, y]) => (bits << 1) | at(x, y), 0) ^ 0b101010000010010;
  assert.equal(format >> 13, 0b01, "the level is L");
  const mask = masks[(format >> 10) & 7];
  const bits: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isFunction(size, x, y)) bits.push(at(x, y) ^ (mask?.(y, x) === true ? 1 : 0));
      }
    }
  }
  const byte = (bit: number): number => Number.parseInt(bits.slice(bit, bit + 8).join(""), 2);
  assert.equal(Number.parseInt(bits.slice(0, 4).join(""), 2), 0b0100, "it holds bytes");
  const length = byte(4);
  return new TextDecoder().decode(Uint8Array.from({ length }, (_, index) => byte(12 + 8 * index)));
}

test("a scanner reads from a code what was put into it", () => {
  for (const text of [
    "a",
    "http://192.168.1.20:4555/#token=4FKD-9TQX",
    "https://quire.example/größe?x=".padEnd(100, "y"),
  ]) {
    assert.equal(scan(qrCode(text)), text);
  }
});

test("longer texts make larger codes, up to a limit", () => {
  assert.equal(qrCode("x".repeat(17)).length, 21);
  assert.equal(qrCode("x".repeat(18)).length, 25);
  assert.equal(qrCode("x".repeat(271)).length, 57);
  assert.throws(() => qrCode("x".repeat(272)), /too long/);
});
