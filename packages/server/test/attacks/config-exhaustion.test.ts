/** Attacks: configs that keep a server busy. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { openConfig } from "../../src/config/open-config.ts";
import { textsIn } from "../../src/config/trust/fingerprint.ts";
import { findHooks } from "../../src/hooks/find-hooks.ts";
import { canonicalJson, type Table } from "../../src/lib/table.ts";

/** A trusted project with a config that came later. */
async function opened<T>(text: string, use: (layers: readonly { config: unknown }[]) => T): Promise<T> {
  await using folder = await tempDir("quire-busy-");
  const root = join(folder.path, "repo");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, ".codex"));
  writeFileSync(join(folder.path, "config.toml"), `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`);
  writeFileSync(join(root, ".codex/config.toml"), text);
  const config = openConfig({ home: folder.path, env: {} });
  config.resolve({ cwd: root });
  return use(config.read({ cwd: root }).layers);
}

/** Whether it ends for want of stack. */
function overflows(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

attack(
  "has the server parse a project's config of thousands of tables, which takes the square of their number",
  (guarded) => {
    const text = Array.from({ length: 6000 }, (_, index) => `[t.k${index}]\na = 1\n`).join("");
    const isParsed = (values: Table) => Object.keys((values.t as Table | undefined) ?? {}).length > 0;
    if (!guarded) return isParsed(Bun.TOML.parse(text) as Table);
    return opened(text, (layers) => layers.some(({ config }) => isParsed(config as Table)));
  },
);

attack("runs the server out of stack by tables within tables", async (guarded) => {
  const text = `${Array.from({ length: 20_000 }, () => "a").join(".")} = 1\n`;
  if (!guarded) return overflows(() => [...textsIn(Bun.TOML.parse(text))]);
  return opened(text, (layers) => overflows(() => layers.map(({ config }) => [...textsIn(config)])));
});

attack("runs the server out of stack by a hook's arguments within arguments", async (guarded) => {
  await using folder = await tempDir("quire-busy-");
  const depth = 8000;
  const input = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const handler = `{"type":"mcp_tool","server":"s","tool":"t","input":${input}}`;
  const text = `{"hooks":{"Stop":[{"hooks":[${handler}]}]}}`;
  if (!guarded) return overflows(() => canonicalJson(nested(200_000)));
  writeFileSync(join(folder.path, "hooks.json"), text);
  const found = findHooks({ layers: [], folders: [folder.path], home: "/nowhere" });
  return found.hooks.length > 0 || found.warnings.length === 0;
});

function nested(depth: number): Table {
  let value: Table = {};
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}
