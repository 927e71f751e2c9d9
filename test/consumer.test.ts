import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { chromiumPath, eventually } from "@quire/testkit";
import { chromium } from "playwright-core";
import { nodeBinary, nodeVersions, toolFile } from "../scripts/lib/consumer-tools.ts";
import { runCommand } from "../scripts/lib/run-command.ts";
import { bin } from "../scripts/lib/workspace.ts";
import { Consumer, published } from "./lib/consumer.ts";

const consumer = new Consumer();
const { folder } = consumer;
const run = consumer.run.bind(consumer);
const install = consumer.install.bind(consumer);
after(() => consumer.remove());

const entriesOf = ({ manifest }: (typeof published)[number]) =>
  Object.keys(manifest.exports ?? {})
    .filter((entry) => entry !== "./package.json")
    .map((entry) => `${manifest.name}${entry.slice(1)}`);
const entries = published.flatMap(entriesOf);
/** Some packages say that they need Bun. */
const entriesOnNode = published.filter(({ manifest }) => manifest.engines?.node).flatMap(entriesOf);

/** Packing and installing takes a minute where the cache is empty or others work beside it. */
const limits = { timeout: 300_000 };

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

/** A program that anybody may write: it runs a turn, answers an approval and serves a tool. */
const program = `
import { CodexClient, jsonSchema, tool } from "@quire/client";
import { scriptedServer } from "@quire/testkit";

export async function main() {
  const server = scriptedServer();
  server.turn({ items: [{ type: "command", command: "ls", approval: true }], text: "All is well." });
  const codex = await CodexClient.connect(server.transport, {
    onApproval: (request) => (request.kind === "command" && request.script === "ls" ? "accept" : "decline"),
  });
  const input = jsonSchema({ type: "object" });
  const thread = await codex.thread({ tools: [tool({ name: "now", description: "The time", input, run: () => "12:00" })] });
  const turn = thread.run("Is all well?", { signal: AbortSignal.timeout(20_000) });
  let deltas = "";
  for await (const event of turn) if (event.type === "agentMessage.delta") deltas += event.delta;
  const { agentMessage, items } = await turn;
  const commands = items.map((item) => (item.type === "commandExecution" ? item.status : item.type));
  await codex.close();
  await server.close();
  return [agentMessage === deltas, agentMessage, ...commands].join(" ");
}
`;
const wanted = "true All is well. userMessage completed agentMessage";
const start = `import { main } from "./main.js";\nconsole.log(await main());\n`;
const [oldest, middle, newest] = nodeVersions;
const projects = consumer.project.bind(consumer);

for (const version of nodeVersions) {
  test(`a program runs on Node ${version}, and createServer() there says that it needs Bun`, limits, async () => {
    await install();
    const server = `import { createServer } from "@quire/server";\ntry { createServer() } catch (error) { console.log(error.message) }\n`;
    const cwd = projects(`node-${version}`, { "main.js": program, "start.js": start, "server.js": server });
    assert.equal((await run(nodeBinary(version), ["start.js"], cwd)).trim(), wanted);
    assert.match(await run(nodeBinary(version), ["server.js"], cwd), /^createServer\(\) needs Bun .* "npx bun FILE"/);
  });
}

test("a program runs on Bun, where a server can be embedded", limits, async () => {
  await install();
  const server = `
import { CodexClient } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createServer } from "@quire/server";
const server = createServer({ home: import.meta.dir + "/home", env: {} });
const [near, far] = memoryPair();
server.accept(far);
const codex = await CodexClient.connect(near);
const { agentMessage } = await (await codex.thread()).run("hello");
console.log(agentMessage);
await codex.close();
await server.close();
`;
  const cwd = projects("bun", { "main.js": program, "start.js": start, "server.js": server });
  assert.equal((await run(process.execPath, ["start.js"], cwd)).trim(), wanted);
  assert.match(await run(process.execPath, ["server.js"], cwd), /offline model/);
});

for (const [name, tsc] of [
  ["TypeScript 5.4", ["node", [toolFile("typescript-5.4", "bin", "tsc")]]],
  ["the newest TypeScript", [bin("tsc"), []]],
] as const) {
  test(`a program compiles with ${name}, nodenext, and runs`, limits, async () => {
    await install();
    const compilerOptions = { target: "ES2022", module: "NodeNext", strict: true, outDir: "out", types: ["node"] };
    const cwd = projects(name.replaceAll(" ", "-"), {
      "main.ts": program.replace("main() {", "main(): Promise<string> {"),
      "start.ts": start,
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["start.ts"] }),
    });
    await run(tsc[0], [...tsc[1], "-p", "."], cwd);
    assert.equal((await run(nodeBinary(oldest), ["out/start.js"], cwd)).trim(), wanted);
  });
}

test("a program is bundled by esbuild into one file, and runs", limits, async () => {
  await install();
  const cwd = projects("esbuild", { "main.js": program, "start.js": start });
  const flags = ["--bundle", "--platform=node", "--format=esm", "--target=node20", "--outfile=out.mjs"];
  // What is CommonJS within the bundle asks for Node's modules by require().
  const banner =
    "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await run("node", [toolFile("esbuild", "bin", "esbuild"), "start.js", ...flags, banner], cwd);
  const alone = projects("esbuild-alone/deep", { "package.json": "{}" });
  renameSync(join(cwd, "out.mjs"), join(alone, "out.mjs"));
  assert.equal((await run(nodeBinary(oldest), ["out.mjs"], alone)).trim(), wanted);
});

test("a CommonJS program requires the client on Node 22 and 24, and imports it on Node 20.0", limits, async () => {
  await install();
  const body = program.replace(/^import .*$/gm, "").replace("export async function", "async function");
  const required = `const { CodexClient, jsonSchema, tool } = require("@quire/client");
const { scriptedServer } = require("@quire/testkit");
${body}
main().then(console.log);`;
  const imported = `(async () => {
const { CodexClient, jsonSchema, tool } = await import("@quire/client");
const { scriptedServer } = await import("@quire/testkit");
${body}
console.log(await main());
})();`;
  const cwd = projects("commonjs", { "required.cjs": required, "imported.cjs": imported });
  for (const version of [middle, newest])
    assert.equal((await run(nodeBinary(version), ["required.cjs"], cwd)).trim(), wanted);
  assert.equal((await run(nodeBinary(oldest), ["imported.cjs"], cwd)).trim(), wanted);
});

test("a page is built by Vite, and runs in Chromium", limits, async () => {
  await install();
  const page = `
import { CodexClient } from "@quire/client";
import { openThread } from "@quire/client/view";
import { Connection } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";

const [near, far] = memoryPair();
const server = new Connection(far);
const turn = (status) => ({ id: "turn", items: [], status, error: null });
const event = (method, params) => server.notify(method, { threadId: "thread", turnId: "turn", ...params });
server.handle("initialize", () => ({ userAgent: "page/${codexVersion}" }));
server.handle("thread/start", () => ({ thread: { id: "thread", turns: [] } }));
server.handle("turn/start", () => {
  const item = { type: "agentMessage", id: "item", text: "All is well." };
  setTimeout(() => {
    event("turn/started", { turn: turn("inProgress") });
    event("item/completed", { item });
    event("turn/completed", { turn: turn("completed") });
  });
  return { turn: turn("inProgress") };
});
const codex = await CodexClient.connect(near);
const { agentMessage } = await (await codex.thread()).run("Is all well?");
document.title = typeof openThread + " " + agentMessage;
`;
  const cwd = projects("vite", {
    "package.json": '{ "type": "module" }',
    "index.html": '<script type="module" src="/page.js"></script>',
    "page.js": page,
  });
  await run(
    nodeBinary(newest),
    [toolFile("vite", "bin", "vite.js"), "build", "--target=es2022", "--logLevel=error"],
    cwd,
  );
  // Root, as in a container, cannot use Chromium's sandbox; the page is our own.
  await using browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
  const tab = await browser.newPage();
  await tab.route("http://page.test/**", (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(cwd, "dist", pathname === "/" ? "index.html" : pathname) });
  });
  const problems: string[] = [];
  tab.on("pageerror", (error) => problems.push(String(error)));
  await tab.goto("http://page.test/");
  await eventually(async () => {
    assert.deepEqual(problems, []);
    assert.equal(await tab.title(), "function All is well.");
    return true;
  });
});
