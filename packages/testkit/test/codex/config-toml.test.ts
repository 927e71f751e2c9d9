import assert from "node:assert/strict";
import { test } from "node:test";
import { codexConfigToml } from "@quire/testkit";

test("a key given by the test wins over the default, and strings are quoted safely", () => {
  const toml = codexConfigToml({
    baseUrl: "http://127.0.0.1:1/v1",
    retries: 2,
    config: { "features.plugins": true, "tools.list": ['a "b"\n', 1, { x: false }] },
    toml: "[mcp_servers.files]\ncommand = 'x'",
  });
  assert.match(toml, /^features\.plugins = true$/m);
  assert.equal(toml.match(/features\.plugins/g)?.length, 1);
  assert.match(toml, /^tools\.list = \["a \\"b\\"\\n", 1, \{ "x" = false \}\]$/m);
  assert.match(toml, /^model_providers\.mock\.stream_max_retries = 2$/m);
  assert.match(toml, /\n\[mcp_servers\.files\]\ncommand = 'x'\n$/);
});
