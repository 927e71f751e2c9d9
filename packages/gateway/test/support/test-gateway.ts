import { type Gateway, type GatewayOptions, startGateway } from "@quire/gateway";
import { type ScriptedServer, scriptedServer } from "@quire/testkit";

/** A page that is enough where none is looked at. */
export const plainPage: GatewayOptions["page"] = async () => [
  { path: "/", type: "text/html; charset=utf-8", body: new TextEncoder().encode("<!doctype html><title>Page</title>") },
];

/** A gateway that looks for nothing by itself and comes back quickly. */
export function testGateway(options: Partial<GatewayOptions> = {}): Gateway {
  return startGateway({
    page: plainPage,
    discovery: false,
    reconnect: { baseMs: 5, maxMs: 20, attempts: 10 },
    ...options,
  });
}

/** A gateway with one scripted server, which is there anew after each loss. */
export interface ScriptedGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  /** The server of the latest connection. */
  readonly server: ScriptedServer;
  /** All of them, oldest first. */
  readonly servers: readonly ScriptedServer[];
}

/** @param prepare Told every new server before the gateway is connected to it; what it throws is a failed connection. */
export function scriptedGateway(
  options: Partial<GatewayOptions> = {},
  prepare: (server: ScriptedServer, index: number) => void = () => undefined,
): ScriptedGateway {
  const servers: ScriptedServer[] = [];
  const gateway = testGateway({
    embedded: {
      dial: () => {
        const server = scriptedServer();
        prepare(server, servers.length);
        servers.push(server);
        return server.transport;
      },
    },
    ...options,
  });
  return {
    gateway,
    servers,
    get server() {
      const server = servers.at(-1);
      if (!server) throw new Error("The gateway has not connected yet");
      return server;
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      for (const server of servers) await server.close();
    },
  };
}
