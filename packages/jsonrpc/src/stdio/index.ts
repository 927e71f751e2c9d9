export { type ChildTransport, spawnTransport } from "./child-transport.ts";
export type { SpawnOptions } from "./start-child.ts";
export { stdioTransport } from "./stdio-transport.ts";
export { StreamTransport, type StreamTransportOptions } from "./stream-transport.ts";
