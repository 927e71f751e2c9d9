import assert from "node:assert/strict";
import { before, test } from "node:test";
import { previewAddress } from "../../src/navigation/preview-target.ts";

before(() => {
  Object.assign(globalThis, { location: { hostname: "127.0.0.1", port: "4555" } });
});

test("a preview is of a dev server on this machine, at a host that never gets the page's cookie", () => {
  assert.equal(previewAddress("3000"), "http://localhost:3000/");
  assert.equal(previewAddress("http://127.0.0.1:5173/a?b"), "http://localhost:5173/a?b");
  assert.equal(previewAddress("localhost:8080"), "http://localhost:8080/");
  assert.equal(previewAddress("http://0.0.0.0:8080/"), "http://localhost:8080/");
  for (const other of [
    "http://example.org:3000",
    "https://localhost:3000",
    "javascript:alert(1)",
    "",
    "4555",
    "http://a@localhost:1",
  ]) {
    assert.equal(previewAddress(other), null, other);
  }
});
