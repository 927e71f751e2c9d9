/**
 * Commands and files on the server's machine, without a thread and without a model.
 * Run it: npx bun examples/08-exec-and-files.ts
 */
import { join } from "node:path";
import process from "node:process";
import { CodexClient } from "@quire/client";

await using codex = await CodexClient.spawn();
const { fs } = codex;

// Paths on the server are absolute.
const folder = join(process.cwd(), "notes");
await fs.createDirectory(folder);
await fs.writeFile(join(folder, "a.txt"), "pear\napple\nfig\n");

// Runs to its end. An exit code other than 0 is a result, not an error.
const { stdout, exitCode } = await codex.exec("sort a.txt && exit 3", { cwd: folder, timeoutMs: 10_000 });
console.log(`sorted: ${stdout.trim().split("\n").join(", ")} (exit code ${exitCode})`);

// A running command: write to it and read from it as it goes. Disposing of it kills it.
await using shell = codex.exec.stream(["cat"]);
await shell.write("typed by the client\n");
await shell.closeStdin();
for await (const text of shell.stdout.texts()) console.log(`cat: ${text.trim()}`);

// Watching ends with the loop.
const watch = fs.watch(folder);
await watch.ready;
await fs.writeFile(join(folder, "b.txt"), new Uint8Array([0x68, 0x69]));
for await (const { paths } of watch) {
  console.log(`changed: ${paths.join(", ")}`);
  break;
}
console.log(`b.txt holds ${await fs.readText(join(folder, "b.txt"))}`);
