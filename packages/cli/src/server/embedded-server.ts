import type { Transport } from "@quire/jsonrpc";
import type { QuireServer, ServerOptions } from "@quire/server";
import { providerDefault } from "./provider-default.ts";

/** A server in this process. */
export interface EmbeddedServer extends AsyncDisposable {
  /** Makes a way to it; the first call starts it. */
  readonly dial: () => Promise<Transport>;
}

/** A server that is loaded and started when somebody connects. Disposing of it ends its turns and commands. */
export function embeddedServer(options: Pick<ServerOptions, "configOverrides" | "sessionSource">): EmbeddedServer {
  let server: QuireServer | undefined;
  return {
    async dial() {
      const [{ createLog, createServer }, { memoryPair }] = await Promise.all([
        import("@quire/server"),
        import("@quire/jsonrpc/memory"),
      ]);
      const { env } = process;
      server ??= createServer({ ...options, ...providerDefault, env, log: createLog({ env }) });
      const [near, far] = memoryPair();
      server.accept(far);
      return near;
    },
    async [Symbol.asyncDispose]() {
      await server?.close();
    },
  };
}
