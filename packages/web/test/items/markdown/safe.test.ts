import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeEntities } from "../../../src/items/markdown/entities.ts";
import { lexMarkdown } from "../../../src/items/markdown/lex.ts";
import { safeImage, safeLink } from "../../../src/items/markdown/safe-url.ts";

test("only addresses that a browser opens harmlessly are links", () => {
  assert.equal(safeLink("https://example.com/a?b#c"), "https://example.com/a?b#c");
  assert.equal(safeLink("mailto:a@example.com"), "mailto:a@example.com");
  for (const href of [
    ...["javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x"],
    ...["file:///etc/passwd", "/work/app.ts", "app.ts:3", "//evil.example", "blob:x", "", "\u0000javascript:x"],
  ]) {
    assert.equal(safeLink(href), null, href);
  }
});

test("only pictures that come with the text are shown, and none that could hold a document", () => {
  assert.equal(safeImage("data:image/png;base64,AAAA"), "data:image/png;base64,AAAA");
  for (const source of ["https://a.example/x.png", "data:image/svg+xml;base64,AAAA", "data:text/html,x", "x.png"]) {
    assert.equal(safeImage(source), null, source);
  }
});

test("entities are read, unknown ones stay as they are written", () => {
  assert.equal(decodeEntities("a &lt;b&gt; &amp; &#39;c&#x27; &copy;"), "a <b> & 'c' ©");
  assert.equal(
    decodeEntities("&bogus; &#0; &#xD800; &constructor; & alone"),
    "&bogus; &#0; &#xD800; &constructor; & alone",
  );
});

test("text that is nested beyond reason is shown as it is written", () => {
  for (const text of [">".repeat(20_000), "- ".repeat(20_000), "[".repeat(20_000), "> - ".repeat(10_000)]) {
    const tokens = lexMarkdown(text);
    assert.equal(tokens.map((token) => token.raw).join(""), text);
    assert.equal(tokens[0]?.type, "paragraph");
  }
});
