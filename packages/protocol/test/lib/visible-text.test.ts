import assert from "node:assert/strict";
import { it } from "node:test";
import { visibleParts, visibleText } from "@quire/protocol";

it("ordinary text is shown as it is", () => {
  for (const text of [
    "",
    "ls -la | wc -l",
    "a\n\tb\n\nc",
    "größer × 2 → ok ✓",
    "e\u0301te\u0301",
    "日本語",
    "שלום",
    "🎉",
  ])
    assert.equal(visibleText(text), text);
});

it("what nobody would see is named", () => {
  assert.equal(visibleText("ls\x1b[2K\rrm"), "ls⟦ESC⟧[2K⟦CR⟧rm");
  assert.equal(visibleText("a\0\x7f\x9bb"), "a⟦NUL⟧⟦DEL⟧⟦U+009B⟧b");
  assert.equal(visibleText("x\u200b\u200b\u200by"), "x⟦U+200B ×3⟧y");
  assert.equal(visibleText("x\u{e0041}\ud800"), "x⟦U+E0041⟧⟦U+D800⟧");
});

it("text that looks like a mark is told apart from one", () => {
  assert.equal(visibleText("⟦ESC⟧"), "⟦U+27E6⟧ESC⟦U+27E7⟧");
  assert.deepEqual(visibleParts("a\x1bb"), [
    { text: "a", isMark: false },
    { text: "⟦ESC⟧", isMark: true },
    { text: "b", isMark: false },
  ]);
});

it("every character is shown, or named by a mark", () => {
  const back = (shown: string) =>
    shown.replace(/⟦(?:U\+([0-9A-F]+)|([A-Z0-9]+))⟧/g, (mark, code?: string) =>
      code === undefined
        ? String.fromCodePoint(names.indexOf(mark.slice(1, -1)))
        : String.fromCodePoint(parseInt(code, 16)),
    );
  const names =
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
      " ",
    );
  names[0x7f] = "DEL";
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 7) {
    const text = `a${String.fromCodePoint(code)}b`;
    assert.equal(back(visibleText(text)), text);
    assert.equal(back(visibleText(text, { oneLine: true })), text);
    assert.doesNotMatch(
      visibleText(text, { oneLine: true }),
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
    );
  }
});

it("a title stays on its line", () => {
  assert.equal(visibleText("a\nb\r\n\tc", { oneLine: true }), "a⟦LF⟧b⟦CR⟧⟦LF⟧⟦TAB⟧c");
  assert.equal(visibleText("a\nb\r\n\tc", { oneLine: true, prose: true }), "a⟦LF⟧b⟦CR⟧⟦LF⟧⟦TAB⟧c");
});

it("prose keeps what languages and emoji need", () => {
  for (const text of ["❤️ 👩‍💻", "« oui »", "می‌خواهم", "co\u00adop", "a\r\nb", `x${" ".repeat(90)}y`])
    assert.equal(visibleText(text, { prose: true }), text);
  assert.equal(visibleText("a\u202eb\x1b]52;c;eA==\x07", { prose: true }), "a⟦U+202E⟧b⟦ESC⟧]52;c;eA==⟦BEL⟧");
});

it("long stretches of blanks are counted, so that nothing is out of sight behind them", () => {
  assert.equal(visibleText(`ls${" ".repeat(300)}; rm x`), "ls⟦300 spaces⟧; rm x");
  assert.equal(visibleText(`ls\n${"\n".repeat(200)}rm x`), "ls\n⟦200 blank lines⟧\nrm x");
  assert.equal(visibleText(`ls\n${" \n".repeat(20)}rm x`), "ls\n⟦20 blank lines⟧\nrm x");
});
