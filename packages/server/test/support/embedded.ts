import { Connection } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import type { ServerMethods } from "@quire/protocol";
import { createLog, createServer, type QuireServer, type ServerOptions } from "@quire/server";
import { type TempDir, tempDir } from "@quire/testkit";

/** A server in this process, with a home of its own. */
export interface Embedded extends AsyncDisposable {
  readonly server: QuireServer;
  readonly home: string;
  /** A client that has shaken hands. Ends with the server. */
  connect(capabilities?: object): Promise<Connection<ServerMethods>>;
}

/** Makes one. Without a config it answers with the offline model. */
export async function embedded(options: ServerOptions = {}): Promise<Embedded> {
  const folder: TempDir | undefined = options.home === undefined ? await tempDir("quire-server-") : undefined;
  const home = options.home ?? folder?.path ?? "";
  const log = createLog({ level: "error", env: {} });
  const server = createServer({ log, env: { PATH: process.env.PATH, HOME: home }, ...options, home });
  return {
    server,
    home,
    connect: async (capabilities = { experimentalApi: true }) => {
      const [ours, theirs] = memoryPair();
      server.accept(theirs);
      const connection = new Connection<ServerMethods>(ours);
      await connection.request("initialize", { clientInfo: { name: "test", version: "1.0.0" }, capabilities } as never);
      connection.notify("initialized");
      return connection;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}
