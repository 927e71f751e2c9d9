import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLink } from "../../../src/trackers/github/link-header.ts";

test("the next page is found wherever the header names it", () => {
  const link = '<https://x/a?page=1,2>; rel="prev", <https://x/a?page=3>; rel="next", <https://x/a?page=9>; rel="last"';
  assert.equal(nextLink(link), "https://x/a?page=3");
  assert.equal(nextLink('<https://x/b>; title="next"; rel=next'), "https://x/b");
  assert.equal(nextLink('<https://x/b>; rel="first next"'), "https://x/b");
  for (const none of [null, "", '<https://x/b>; rel="last"', '<https://x/b>; rel="nextish"', "https://x/b; rel=next"]) {
    assert.equal(nextLink(none), null, String(none));
  }
});
