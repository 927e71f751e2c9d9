export { elfProgram } from "./guard/elf.ts";
export { endGuarded, guarded, guardName } from "./guard/guard.ts";
export { killLeftovers, killTagged, killTaggedNow, signalGroup, tagged } from "./process-tree.ts";
export { type CommandLookup, type ResolvedCommand, resolveCommand } from "./resolve-command.ts";
