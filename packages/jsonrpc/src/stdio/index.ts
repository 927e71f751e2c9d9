export { type ChildTransport, type SpawnOptions, spawnTransport } from "./child-transport.ts";
export { ownStdio } from "./own-stdio.ts";
export { StreamTransport, type StreamTransportOptions } from "./stream-transport.ts";
