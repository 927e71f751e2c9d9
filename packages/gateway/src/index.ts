export type { HubInfo, HubState, ToGateway, ToPage } from "@quire/protocol/gateway";
export { type Gateway, startGateway } from "./gateway.ts";
export type { DiscoveryOptions, GatewayOptions } from "./gateway-options.ts";
export type { PageFile } from "./http/page-files.ts";
export { parseAddress, type ServerAddress } from "./hub/address.ts";
export type { ReconnectOptions } from "./hub/hub-options.ts";
export type { EmbeddedServer, SpawnedServer } from "./hub/hub-set.ts";
