import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { runCommand } from "../scripts/lib/run-command.ts";
import { staged } from "../scripts/lib/stage.ts";
import { bin, packages, root } from "../scripts/lib/workspace.ts";

/** A project of somebody else, with our packages installed from tarballs as they would be published. */
const folder = mkdtempSync(join(tmpdir(), "quire-consumer-"));
const published = packages().filter(({ manifest }) => !manifest.private && manifest.exports);
/** Optional peers are installed: an importer of an entry that needs one has it. */
const peers = published.flatMap(({ manifest }) =>
  Object.entries(manifest.peerDependencies ?? {}).map(([name, range]) => `${name}@${range}`),
);
// The types of @ai-sdk/provider need these and do not bring them.
if (peers.some((peer) => peer.startsWith("@ai-sdk/provider@"))) peers.push("@types/json-schema");
const entriesOf = ({ manifest }: (typeof published)[number]) =>
  Object.keys(manifest.exports ?? {})
    .filter((entry) => entry !== "./package.json")
    .map((entry) => `${manifest.name}${entry.slice(1)}`);
const entries = published.flatMap(entriesOf);
/** Some packages say that they need Bun. */
const entriesOnNode = published.filter(({ manifest }) => manifest.engines?.node).flatMap(entriesOf);

async function run(command: string, args: readonly string[], cwd: string = folder): Promise<void> {
  const { code, output } = await runCommand(command, args, { cwd });
  assert.equal(code, 0, `${command} ${args.join(" ")} failed:\n${output}`);
}

/** Packing and installing takes a minute where the cache is empty or others work beside it. */
const limits = { timeout: 300_000 };
let installed: Promise<void> | undefined;
const install = (): Promise<void> => {
  installed ??= installAll();
  return installed;
};

async function installAll(): Promise<void> {
  const tarballs = join(folder, "tarballs");
  const folders = published.map(({ short }) => staged(short));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  await run("mkdir", ["-p", tarballs]);
  await run("npm", ["pack", "--silent", "--pack-destination", tarballs, ...folders], root);
  const files = readdirSync(tarballs).map((file) => join(tarballs, file));
  assert.equal(files.length, published.length);
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--loglevel=error"];
  // Who imports an entry that speaks of Node's types has these.
  await run("npm", [
    "install",
    ...flags,
    ...files,
    ...peers,
    join(root, "node_modules", "@types", "node"),
    "--install-links",
  ]);
}
after(() => rmSync(folder, { recursive: true, force: true }));

test("a TypeScript project compiles every entry point with its libraries checked", limits, async () => {
  await install();
  const lines = entries.map((entry, n) => `import * as entry${n} from "${entry}";\nvoid entry${n};`);
  writeFileSync(join(folder, "consumer.ts"), lines.join("\n"));
  const compilerOptions = {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  await run(bin("tsc"), ["-p", "."]);
});

for (const [name, runtime, meant] of [
  ["Node", "node", entriesOnNode],
  ["Bun", process.execPath, entries],
] as const) {
  test(`every entry point that is for ${name} can be imported there`, limits, async () => {
    await install();
    assert.ok(meant.length > 8, "entry points were not found");
    const file = `import-all-${name}.mjs`;
    const checks = meant.map((entry) => `await import("${entry}");`);
    writeFileSync(join(folder, file), `${checks.join("\n")}\nconsole.log("all imported");\n`);
    await run(runtime, [file]);
  });
}

const uncaught = {
  "a failed turn": `
import { CodexClient } from "@quire/client";
import { scriptedServer } from "@quire/testkit";
const server = scriptedServer();
server.turn({ text: "a long answer ".repeat(5000), error: { message: "The model is gone" } });
const codex = new CodexClient({ transport: server.transport });
await codex.connect();
const thread = await codex.thread();
async function caller() {
  await thread.run("go");
}
await caller();`,
  "a program that is not there": `
import { CodexClient } from "@quire/client";
async function caller() {
  await CodexClient.spawn({ command: ["no-such-codex", "app-server"] });
}
await caller();`,
};

for (const [what, program] of Object.entries(uncaught)) {
  test(`the uncaught error of ${what} is a screenful on Node and points at the caller's line`, limits, async () => {
    await install();
    writeFileSync(join(folder, "uncaught.mjs"), program);
    for (const flags of [[], ["--enable-source-maps"]]) {
      const { code, output } = await runCommand("node", [...flags, "uncaught.mjs"], { cwd: folder });
      assert.equal(code, 1, output);
      const lines = output.split("\n");
      assert.ok(lines.length < 60 && lines.every((line) => line.length < 300), output);
      assert.match(output, /at async caller .*uncaught\.mjs|at caller .*uncaught\.mjs/, output);
      if (flags.length > 0) assert.match(output, /@quire\/client\/src\/.*\.ts:\d+/, "the maps lead to the sources");
    }
  });
}
