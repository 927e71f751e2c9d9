import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";

const flags = {
  home: {
    type: "text",
    value: "FOLDER",
    fallback: "$QUIRE_HOME",
    help: "The folder whose threads are read or written.",
  },
  json: { type: "switch", help: "Print each thread as JSON, one per line." },
  ...configFlags,
} as const satisfies Flags;

/** `quire store`. */
export const storeSpec: CommandSpec<typeof flags> = {
  name: "quire store",
  summary: "Copy threads between files and a database",
  operands: "import|export [THREAD ...]",
  maxOperands: 10_000,
  flags,
  commands: [
    ["import [THREAD ...]", "Copy threads from files into the database of [store]"],
    ["export [THREAD ...]", "Copy threads from the database into files, which Codex reads too"],
  ],
  examples: [
    ["quire store import", "Copy all threads of this home into its database."],
    ["quire store import --home ~/.codex", "Copy those of Codex."],
    ["quire store export --home ./backup", "Copy all threads of the database into ./backup/sessions."],
  ],
  notes:
    "Nothing is removed on either side. Threads that the database has already stay as they are there. Exits with 1 if a thread was left out.",
};
