import assert from "node:assert/strict";
import { it } from "node:test";
import { visibleHost } from "@quire/protocol";

it("a host that is what it looks like needs no hint", () => {
  for (const host of ["example.com", "EXAMPLE.com", "127.0.0.1", "::1", "[::1]", "localhost"])
    assert.deepEqual(visibleHost(host), { text: host, hint: undefined });
});

it("a host that looks like another one says what it is", () => {
  assert.deepEqual(visibleHost("p\u0430ypal.com"), {
    text: "p\u0430ypal.com",
    hint: "xn--pypal-4ve.com: has letters that may look like others",
  });
  assert.equal(visibleHost("xn--pypal-4ve.com").hint, "has letters that may look like others");
  assert.equal(visibleHost("127.1").hint, "the same as 127.0.0.1");
  assert.equal(visibleHost("0x7f000001").hint, "the same as 127.0.0.1");
  assert.equal(visibleHost("ｅxample.com").hint, "the same as example.com");
});

it("what is no host is not shown as one", () => {
  for (const host of ["good.com@evil.com", "good.com/evil", "a b", "good.com\u202e", ""])
    assert.equal(visibleHost(host).hint, "not a valid host name");
  assert.equal(visibleHost("a\u202eb").text, "a⟦U+202E⟧b");
});
