import assert from "node:assert/strict";
import { test } from "node:test";
import { linearPattern } from "@quire/protocol/pattern";

const patterns = [
  ...[
    "",
    "a",
    "^a",
    "a$",
    "^a$",
    "a|b",
    "^(a|b)*$",
    "a*b",
    "a+?b",
    "^a{2}$",
    "^a{2,}$",
    "^a{1,3}$",
    "a{0,2}b",
    "x{,2}",
  ],
  ...[
    "[abc]",
    "[^abc]",
    "[a-c]+$",
    "[-a]",
    "[a-]",
    "[\\]]",
    "[\\w.]+@\\w+",
    "\\d{3}",
    "\\bword\\b",
    "\\Bx",
    ".",
    "^.$",
    "a.b",
  ],
  ...[
    "(?:ab)+",
    "(?<name>a)b",
    "^(a+)+$",
    "(x+x+)+y",
    "mcp__.*",
    "^(Bash|Edit|Write)$",
    "\\x41",
    "\\u0041",
    "\\/",
    "\\.",
  ],
  ...["()*a", "(a*)*b", "(a|)*b", "^$", "a||b", "\\s+$", "[\\s\\S]", "[^]", "[]", "\\t", "[\\b]", "\\p{L}+", "é", "😀"],
];
const texts = [
  ...[
    "",
    "a",
    "b",
    "ab",
    "aab",
    "aaa",
    "aaaa",
    "abc",
    "word",
    "a word!",
    "sword",
    "x",
    "xxy",
    "xx",
    "123",
    "12",
    "A",
    "/",
    ".",
  ],
  ...[
    "Bash",
    "Bashful",
    "mcp__a__b",
    "foo.bar@baz",
    "\n",
    "a\nb",
    " \t",
    "]",
    "-",
    "\b",
    "é",
    "😀",
    "a😀b",
    "x{,2}",
    "c",
  ],
];

test("a pattern fits what JavaScript's own fits", () => {
  for (const source of patterns) {
    const pattern = linearPattern(source);
    assert.ok(pattern, source);
    // Some are no pattern under the `u` flag.
    let own = new RegExp(source);
    try {
      own = new RegExp(source, "u");
    } catch {}
    for (const text of texts) assert.equal(pattern.test(text), own.test(text), `${source} on ${JSON.stringify(text)}`);
  }
  assert.ok(linearPattern("(?i)^bash$")?.test("BASH"));
});

test("what would go back and forth, is wrong or too large is refused", () => {
  for (const source of [
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(a)\\1",
    "(?<x>a)\\k<x>",
    "(",
    ")",
    "a)",
    "[a",
    "*",
    "a**",
    "(?:",
    "\\",
  ])
    assert.equal(linearPattern(source), undefined, source);
  assert.equal(linearPattern("((a{99}){99}){99}"), undefined);
  assert.equal(linearPattern("(".repeat(5000) + ")".repeat(5000)), undefined);
});

test("a pattern that takes RegExp years is followed in one go", () => {
  assert.equal(linearPattern("^(a+)+$")?.test(`${"a".repeat(50_000)}!`), false);
  assert.equal(linearPattern("(x+x+)+y")?.test("x".repeat(20_000)), false);
});
