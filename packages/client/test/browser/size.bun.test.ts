/** How much of a page the client takes. Needs Bun's bundler. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { gzippedSizes } from "./bundle.ts";

const limit = 25_500;

test("the browser entry, with all of its exports, is at most 25.5 kB minified and gzipped", async () => {
  const { entry, all } = await gzippedSizes(join(import.meta.dirname, "..", "..", "src", "index.ts"));
  console.log(`@quire/client for browsers: ${entry} bytes gzipped, ${all} with all that is loaded on demand`);
  assert.ok(entry <= limit, `${entry} bytes are more than ${limit}`);
});
