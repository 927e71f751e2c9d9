import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { openConfig } from "../../src/config/open-config.ts";
import { unknownKeys } from "../../src/config/strict.ts";

const page = readFileSync(new URL("../../../../docs/models.md", import.meta.url), "utf8");
const sections = page.split(/^## /m).flatMap((section) => {
  const toml = /```toml\n([\s\S]*?)```/.exec(section)?.[1];
  return toml === undefined ? [] : [{ title: section.split("\n", 1)[0] ?? "", toml, section }];
});

test("the page on models sets up ten providers and more, and says of each what works, what does not, and was not tried", () => {
  assert.ok(sections.length >= 10, `${sections.length}`);
  for (const { title, section } of sections) {
    for (const word of ["Works:", "Does not:", "Not tried:"]) assert.ok(section.includes(word), `${title}: ${word}`);
  }
});

for (const { title, toml } of sections) {
  test(`the lines for ${title} set up its provider, and no key in them is unknown`, async () => {
    await using folder = await tempDir();
    const home = join(folder.path, "home");
    mkdirSync(home);
    writeFileSync(join(home, "config.toml"), toml);
    const config = openConfig({ home, env: {} }).resolve({ cwd: folder.path });
    const named = (key: string) => new RegExp(`^${key} = "(.*)"$`, "m").exec(toml)?.[1];
    assert.deepEqual([config.model, config.provider.id], [named("model"), named("model_provider")]);
    assert.ok(config.provider.baseUrl);
    assert.deepEqual(unknownKeys(config.raw), []);
  });
}
