/** `npm run docs`: the documentation as a site, to read while you write, or built into a folder. */
import { spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { endCommandsOnSignal, runCommand } from "./lib/run-command.ts";
import { writeApiPages } from "./lib/site/api-pages.ts";
import { clearSite, siteFolder, stageSite } from "./lib/site/stage-site.ts";
import { root } from "./lib/workspace.ts";

const usage = `Usage: npm run docs [-- OPTION ...]

Serves the documentation on http://localhost:5173 and reloads a page when you save it.
  --build      builds the site into site/dist instead
  --port PORT  serves on another port
  --no-api     leaves out the API reference, which takes half a minute

The first run installs VitePress and TypeDoc into site/node_modules.`;

const words = process.argv.slice(2);
const at = words.indexOf("--port");
const port = at === -1 ? "5173" : (words[at + 1] ?? "");
const flags = words.filter((_, index) => at === -1 || (index !== at && index !== at + 1));
const unknown = flags.find((flag) => !["--build", "--no-api", "--help"].includes(flag));
if (flags.includes("--help") || unknown !== undefined || !/^\d+$/.test(port)) {
  console.log(unknown === undefined ? usage : `Unknown option: ${unknown}\n\n${usage}`);
  process.exit(flags.includes("--help") ? 0 : 2);
}
endCommandsOnSignal();

if (!existsSync(join(siteFolder, "node_modules", ".bin", "vitepress"))) {
  console.log("Installing VitePress and TypeDoc ...");
  await step(runCommand("npm", ["ci", "--no-audit", "--no-fund"], { cwd: siteFolder }));
}
if (flags.includes("--build")) clearSite();
stageSite();
if (!flags.includes("--no-api")) {
  console.log("Writing the API reference ...");
  await step(writeApiPages());
}
if (!flags.includes("--build")) follow();
const command = flags.includes("--build") ? ["build"] : ["dev", "--port", port];
const vitepress = spawn(join(siteFolder, "node_modules", ".bin", "vitepress"), command, {
  cwd: siteFolder,
  stdio: "inherit",
});
vitepress.on("exit", (code) => process.exit(code ?? 1));

/** Ends the program when a step fails, with what it said. */
async function step(running: ReturnType<typeof runCommand>): Promise<void> {
  const { code, output } = await running;
  if (code === 0) return;
  console.error(output);
  process.exit(1);
}

/** Copies pages again when they change, a moment later: editors write a file in several steps. */
function follow(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  for (const folder of ["docs", "examples"])
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(stageSite, 100);
    });
}
