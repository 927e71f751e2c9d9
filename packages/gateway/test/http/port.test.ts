import assert from "node:assert/strict";
import { test } from "node:test";
import { testGateway } from "../support/test-gateway.ts";

test("a port is not shared with another gateway: it is refused, or a free one is taken", async () => {
  await using first = testGateway();
  assert.throws(() => testGateway({ port: first.port }), /Cannot listen on 127\.0\.0\.1:\d+.*--port/s);
  await using second = testGateway({ port: first.port, anyPort: true });
  assert.notEqual(second.port, first.port);
});
