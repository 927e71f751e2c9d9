/** `npm run build`: compiles everything and puts the packages together in `dist/`, as they are published. */
import process from "node:process";
import { runCommand } from "./lib/run-command.ts";
import { stage } from "./lib/stage.ts";
import { bin, packages } from "./lib/workspace.ts";

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
