/**
 * Makes `dist/quire`, or the file named as argument: the command with all it needs, Bun included, in one file. The last
 * step of `npm run build`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { buildPageInto, embeddedInExecutable, embeddedModule } from "./lib/embedded-page.ts";
import { root } from "./lib/workspace.ts";

const outfile = resolve(process.argv[2] ?? join(root, "dist", "quire"));
const pageFolder = mkdtempSync(join(tmpdir(), "quire-page-"));
process.on("exit", () => rmSync(pageFolder, { recursive: true, force: true }));
const contents = embeddedInExecutable(pageFolder, await buildPageInto(pageFolder));
const { success, logs } = await Bun.build({
  entrypoints: [join(root, "packages", "cli", "src", "main.ts")],
  // The sources, so that nothing has to be compiled first.
  conditions: ["bun"],
  plugins: [
    {
      name: "embedded-page",
      setup: (build) => void build.onLoad({ filter: embeddedModule }, () => ({ contents, loader: "ts" })),
    },
  ],
  minify: { syntax: true, whitespace: true },
  // Parsed beforehand, and in pieces, so that a start loads only what it needs.
  format: "esm",
  splitting: true,
  bytecode: true,
  compile: {
    outfile,
    // What lies in the folder it is started in is the user's, not its own.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    // Manifests are read only where a package is looked for: a user's own, by its name.
    autoloadPackageJson: true,
  },
});
if (!success) {
  for (const log of logs) console.error(String(log));
  process.exit(1);
}
console.log(outfile);
