export { type ChildTransport, spawnTransport } from "./child-transport.ts";
export { elfProgram } from "./guard/elf.ts";
export { endGuarded, guarded, guardName } from "./guard/guard.ts";
export { killLeftovers, killTagged, killTaggedNow, signalGroup, tagged } from "./process-tree.ts";
export { type CommandLookup, type ResolvedCommand, resolveCommand } from "./resolve-command.ts";
export type { SpawnOptions } from "./start-child.ts";
export { stdioTransport } from "./stdio-transport.ts";
export { StreamTransport, type StreamTransportOptions } from "./stream-transport.ts";
