import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";

const flags = {
  json: { type: "switch", help: "Print JSON." },
  noWait: { type: "switch", help: "With drain: do not wait until the server has given its threads away." },
  ...configFlags,
} as const satisfies Flags;

/** `quire fleet`. */
export const fleetSpec: CommandSpec<typeof flags> = {
  name: "quire fleet",
  summary: "Show and drain the servers of a database",
  operands: "[COMMAND]",
  maxOperands: 2,
  flags,
  commands: [
    ["list", "List the servers, with the threads that each has loaded (default)"],
    ["drain SERVER", "Have a server finish its turns and give its threads away"],
    ["undrain SERVER", "Have it take threads again"],
  ],
  examples: [["quire fleet drain build-2:4711", "Before you stop or upgrade that server."]],
  notes: "A server is named as in the list, or by its id. Reads the database of [store] in config.toml.",
};
