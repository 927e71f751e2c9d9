/** `npm run build`: compiles everything, puts the packages together in `dist/`, as they are published, and makes `dist/quire`. */
import { join } from "node:path";
import process from "node:process";
import { runCommand } from "./lib/run-command.ts";
import { stage } from "./lib/stage.ts";
import { bin, packages, root } from "./lib/workspace.ts";

const { code, output } = await runCommand(bin("tsc"), ["-b"]);
if (code !== 0) {
  console.error(output);
  process.exit(1);
}
for (const each of packages()) {
  try {
    await stage(each);
  } catch (error) {
    console.error(`${each.manifest.name} cannot be put together: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
const { code: built, output: said } = await runCommand(process.execPath, [
  join(root, "scripts", "build-executable.ts"),
]);
if (built !== 0) {
  console.error(said);
  process.exitCode = 1;
}
