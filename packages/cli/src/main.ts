/**
 * The `quire` command. Each command is loaded only when it is called: a server has to answer within milliseconds of its
 * start.
 */
import { commandLine } from "./args/command-line.ts";
import { runCommand } from "./commands.ts";

const code = await runCommand(commandLine(process.argv.slice(2)));
// Explicitly: what a command leaves open, such as a stdin that nobody closes, must not keep the process.
process.exit(code);
