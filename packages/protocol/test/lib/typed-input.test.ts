import assert from "node:assert/strict";
import { it } from "node:test";
import { typedInput, visibleKeys } from "@quire/protocol";

const shown = (text: string): string =>
  visibleKeys(text)
    .map((part) => part.text)
    .join("");

it("what is typed is read out of the question, whatever its quotes", () => {
  const text = (words: string) => typedInput(`write_stdin --session-id 7 ${words}`)?.text;
  assert.equal(text("'a b\n'"), "a b\n");
  assert.equal(text(`'$HOME '"it's"`), "$HOME it's");
  assert.equal(text("\u0003"), undefined);
  assert.equal(text("'\u0003'"), "\u0003");
  assert.equal(text("''"), "");
  assert.equal(typedInput("write_stdin --session-id 7 'a' 'b'"), undefined);
  assert.equal(typedInput("ls"), undefined);
});

it("keys are shown by their names", () => {
  assert.equal(shown("print(1)\n"), "print(1)⟦⏎⟧");
  assert.equal(shown("a\r\nb\rc\t\x1b[A\x7f"), "a⟦⏎⟧\nb⟦⏎⟧\nc⟦Tab⟧⟦Esc⟧[A⟦Backspace⟧");
  assert.equal(shown("\x03\x03\x04\x00"), "⟦^C ×2⟧⟦^D⟧⟦^@⟧");
  assert.equal(shown(`${"\n".repeat(300)}rm`), "⟦⏎ ×300⟧\nrm");
});

it("what hides in what is typed is marked too", () => {
  assert.equal(shown("a\u202eb⟦^C⟧\x9b"), "a⟦U+202E⟧b⟦U+27E6⟧^C⟦U+27E7⟧⟦U+009B⟧");
});
