export { configuredStore } from "./configured-store.ts";
export { type Fleet, type FleetNode, readFleet, setDraining, UnknownNode } from "./fleet.ts";
export { exportThreads, importThreads, type TransferOptions, type Transferred } from "./transfer.ts";
