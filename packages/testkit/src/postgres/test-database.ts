import process from "node:process";
import { type PostgresServer, postgresServer } from "./postgres-server.ts";

let shared: Promise<PostgresServer> | undefined;

/**
 * Makes an empty database for a test and returns its address. All of one process share a server, which starts with the
 * first and ends with the process.
 */
export async function testDatabase(): Promise<string> {
  shared ??= postgresServer().then((server) => {
    process.once("exit", () => void server.stop());
    return server;
  });
  return (await shared).createDatabase();
}
