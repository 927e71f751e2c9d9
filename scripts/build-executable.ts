/**
 * Makes `dist/quire`, or the file named as argument: the command with all it needs, Bun included, in one file. The last
 * step of `npm run build`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { executableOptions } from "../packages/cli/src/bundle/executable-options.ts";
import { buildPageInto, embeddedInExecutable, embeddedModule } from "./lib/embedded-page.ts";
import { root } from "./lib/workspace.ts";

const outfile = resolve(process.argv[2] ?? join(root, "dist", "quire"));
const pageFolder = mkdtempSync(join(tmpdir(), "quire-page-"));
process.on("exit", () => rmSync(pageFolder, { recursive: true, force: true }));
const contents = embeddedInExecutable(pageFolder, await buildPageInto(pageFolder));
const { success, logs } = await Bun.build({
  ...executableOptions(outfile),
  entrypoints: [join(root, "packages", "cli", "src", "main.ts")],
  plugins: [
    {
      name: "embedded-page",
      setup: (build) => void build.onLoad({ filter: embeddedModule }, () => ({ contents, loader: "ts" })),
    },
  ],
});
if (!success) {
  for (const log of logs) console.error(String(log));
  process.exit(1);
}
console.log(outfile);
