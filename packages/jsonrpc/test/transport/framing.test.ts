import assert from "node:assert/strict";
import { describe } from "node:test";
import { LineReader } from "@quire/jsonrpc";
import { test } from "../support/test.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** All lines of a stream that arrives in these chunks. */
function linesOf(chunks: Iterable<Uint8Array>, maxBytes = 1024): string[] {
  const reader = new LineReader(maxBytes);
  const lines: string[] = [];
  const drain = () => {
    for (let line = reader.read(); line !== undefined; line = reader.read()) lines.push(line);
  };
  for (const chunk of chunks) {
    reader.push(chunk);
    drain();
  }
  reader.end();
  drain();
  return lines;
}

function* inPieces(data: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

describe("lines", () => {
  test("a message holding U+2028, U+2029, U+0085, VT or FF arrives whole", () => {
    const text = '{"a":"\u2028\u2029\u0085\u000b\u000c"}';
    assert.deepEqual(linesOf([bytes(`${text}\n{"b":1}\n`)]), [text, '{"b":1}']);
  });

  test("a lone carriage return does not end a message, one before the newline does not spoil it", () => {
    const [first, second] = linesOf([bytes('{"a":1}\r\n{"b"\r:2}\r\n')]);
    assert.deepEqual(JSON.parse(first as string), { a: 1 });
    assert.deepEqual(JSON.parse(second as string), { b: 2 });
  });

  test("empty lines are no messages, in either newline style", () => {
    assert.deepEqual(linesOf([bytes("\n\r\n\n1\n\n\r\n2\n\n")]), ["1", "2"]);
  });

  test("the last message is not lost when its newline is missing", () => {
    assert.deepEqual(linesOf([bytes("1\n2")]), ["1", "2"]);
    assert.deepEqual(linesOf([bytes("1\n"), bytes("2")]), ["1", "2"]);
    assert.deepEqual(linesOf([bytes("1\n")]), ["1"]);
    assert.deepEqual(linesOf([]), []);
  });

  test("a message is the same wherever the stream is cut, also inside a character", () => {
    const lines = ['{"a":"aé€😀\u2028"}', '{"b":"😀😀"}', "é"];
    const data = bytes(`${lines.join("\n")}\n`);
    for (let cut = 0; cut <= data.length; cut++) {
      assert.deepEqual(linesOf([data.subarray(0, cut), data.subarray(cut)]), lines, `cut at ${cut}`);
      for (let second = cut; second <= data.length; second++) {
        const chunks = [data.subarray(0, cut), data.subarray(cut, second), data.subarray(second)];
        assert.deepEqual(linesOf(chunks), lines, `cut at ${cut} and ${second}`);
      }
    }
  });

  test("a message is the same in pieces of every size", () => {
    const lines = Array.from({ length: 40 }, (_, n) => JSON.stringify({ n, text: "é€😀".repeat(n) }));
    const data = bytes(lines.join("\n"));
    for (let size = 1; size <= 80; size++) assert.deepEqual(linesOf(inPieces(data, size)), lines, `pieces of ${size}`);
  });

  test("a byte order mark at the start of the stream does not spoil the first message", () => {
    const data = bytes('\uFEFF{"a":1}\n{"b":2}\n');
    for (let size = 1; size <= data.length; size++) {
      assert.deepEqual(linesOf(inPieces(data, size)), ['{"a":1}', '{"b":2}'], `pieces of ${size}`);
    }
  });

  test("a byte order mark later in the stream is kept, wherever the stream is cut", () => {
    const lines = ['{"a":1}', '\uFEFF{"b":2}', '"\uFEFF"', "\uFEFF3"];
    const data = bytes(`${lines.join("\n")}\n`);
    for (let cut = 0; cut <= data.length; cut++) {
      assert.deepEqual(linesOf([data.subarray(0, cut), data.subarray(cut)]), lines, `cut at ${cut}`);
    }
  });

  test("bytes that are no UTF-8 spoil their own line only", () => {
    const broken = [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80]];
    for (const sequence of broken) {
      const data = Uint8Array.from([...bytes('1\n"'), ...sequence, ...bytes('"\n2\n')]);
      for (let cut = 0; cut <= data.length; cut++) {
        const lines = linesOf([data.subarray(0, cut), data.subarray(cut)]);
        assert.equal(lines.length, 3);
        assert.equal(lines[0], "1");
        assert.match(lines[1] as string, /^"\uFFFD+"$/);
        assert.equal(lines[2], "2");
      }
    }
  });

  test("a reader that stops half-way finds the rest later", () => {
    const reader = new LineReader(1024);
    reader.push(bytes("1\n2\n3"));
    assert.equal(reader.read(), "1");
    reader.push(bytes("33\n4\n"));
    assert.equal(reader.read(), "2");
    reader.push(bytes("5\n"));
    assert.deepEqual([reader.read(), reader.read(), reader.read(), reader.read()], ["333", "4", "5", undefined]);
    assert.equal(reader.read(), undefined);
  });
});

describe("the size limit", () => {
  test("a line of exactly the limit is accepted, one byte more is refused with an error that names the limit", () => {
    assert.deepEqual(linesOf([bytes(`${"x".repeat(10)}\ny\n`)], 10), ["x".repeat(10), "y"]);
    const tooLong = bytes(`${"x".repeat(11)}\n`);
    for (let size = 1; size <= tooLong.length; size++) {
      assert.throws(
        () => linesOf(inPieces(tooLong, size), 10),
        (error: unknown) => error instanceof Error && /more than 10 bytes/.test(error.message),
      );
    }
  });

  test("the limit counts bytes, not characters", () => {
    assert.deepEqual(linesOf([bytes("éé\n")], 4), ["éé"]);
    assert.throws(() => linesOf([bytes("ééé\n")], 4), /more than 4 bytes/);
  });

  test("many small lines in one chunk larger than the limit are all accepted", () => {
    const lines = Array.from({ length: 1000 }, (_, n) => String(n));
    assert.deepEqual(linesOf([bytes(lines.join("\n"))], 10), lines);
  });

  test("messages before the one that is too large are still delivered, wherever the stream is cut", () => {
    const data = bytes(`1\n22\n${"x".repeat(20)}\n3\n`);
    for (let cut = 0; cut <= data.length; cut++) {
      const reader = new LineReader(10);
      const lines: string[] = [];
      const read = () => {
        for (let line = reader.read(); line !== undefined; line = reader.read()) lines.push(line);
      };
      assert.throws(() => {
        for (const chunk of [data.subarray(0, cut), data.subarray(cut)]) {
          reader.push(chunk);
          read();
        }
      }, /maxMessageBytes/);
      assert.deepEqual(lines, ["1", "22"], `cut at ${cut}`);
      reader.push(bytes("4\n"));
      assert.throws(read, /maxMessageBytes/, "nothing after it is delivered");
      assert.deepEqual(lines, ["1", "22"]);
    }
  });
});

describe("large lines", () => {
  test("the memory of chunks is freed with their line where they are given away, and left alone where not", () => {
    const text = "x".repeat(2 * 1024 * 1024);
    for (const ownsChunks of [true, false]) {
      const reader = new LineReader(4 * 1024 * 1024, ownsChunks);
      const chunks = [...inPieces(bytes(text), 64 * 1024)].map((piece) => piece.slice());
      for (const chunk of chunks) reader.push(chunk);
      reader.push(bytes("\nnext\n"));
      assert.ok(reader.read() === text);
      assert.equal(reader.read(), "next");
      // Older versions of Node cannot free it.
      const canFree = "transfer" in ArrayBuffer.prototype;
      const left = ownsChunks && canFree ? 0 : text.length;
      assert.equal(
        chunks.reduce((sum, chunk) => sum + chunk.length, 0),
        left,
      );
      for (const piece of ["again ", "in small pieces", "\n"]) reader.push(bytes(piece));
      assert.equal(reader.read(), "again in small pieces");
    }
  });

  const megabyte = 1024 * 1024;

  /** Were the cost quadratic, the larger ones would not end within the test's limit. */
  function survives(size: number, pieceSize: number): void {
    const reader = new LineReader(80 * megabyte);
    const piece = new Uint8Array(pieceSize).fill(0x78);
    for (let fed = 0; fed < size; fed += pieceSize) {
      reader.push(piece);
      assert.equal(reader.read(), undefined);
    }
    reader.push(bytes("y\nnext\n"));
    const line = reader.read() as string;
    assert.equal(line.length, size + 1);
    assert.ok(line.startsWith("xxx") && line.endsWith("xy"));
    assert.equal(reader.read(), "next");
  }

  test("a 1 MB message arrives whole, byte by byte", () => survives(megabyte, 1));
  test("an 8 MB message arrives whole, in pieces of 64 bytes", () => survives(8 * megabyte, 64));
  test("an 8 MB message arrives whole, in pieces of 4 KB", () => survives(8 * megabyte, 4096));
  test("a 64 MB message arrives whole, in pieces of 4 KB", () => survives(64 * megabyte, 4096));
  test("a 64 MB message arrives whole, in pieces of 64 KB", () => survives(64 * megabyte, 65536));

  test("small pieces of mixed sizes keep their order", () => {
    let expected = "";
    const chunks: Uint8Array[] = [];
    for (let n = 0; n < 5000; n++) {
      const part = `${n},${"z".repeat(n % 97 === 0 ? 3000 : n % 7)}`;
      expected += part;
      chunks.push(bytes(part));
    }
    assert.deepEqual(linesOf([...chunks, bytes("\n")], 8 * megabyte), [expected]);
  });
});
