/**
 * The `quire` command. Each command is loaded only when it is called: a server has to answer within milliseconds of its
 * start.
 */
import { commandLine } from "./args/command-line.ts";
import { bundleLater } from "./bundle/bundle-later.ts";
import { rootFlags } from "./codex/shared-flags.ts";
import { runCommand } from "./commands.ts";

const line = commandLine(process.argv.slice(2), rootFlags);
// A server has its own way to stdout, and sees to it itself.
const isServer = line.name === "app-server" || line.name === "exec-server";
const printed = isServer ? undefined : (await import("./lib/watch-output.ts")).watchOutput();
bundleLater(process.env);
const code = await runCommand(line);
// Explicitly: what a command leaves open, such as a stdin that nobody closes, must not keep the process.
process.exit(printed ? await printed(code) : code);
