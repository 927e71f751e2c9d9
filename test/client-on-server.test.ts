/** The client's suites, written for the real Codex, on our own server. */
import { join } from "node:path";
import { test } from "node:test";
import { passesOnServer, ways } from "./lib/on-server.ts";

const folder = join("packages", "client", "test", "integration");
/** These start their servers themselves, on the way that they are about. */
const onOneWayOnly = ["respawn.test.ts", "sockets.test.ts"];

for (const over of ways) {
  test(`the client's suite passes on our server over ${over}`, { timeout: 400_000 }, () =>
    passesOnServer(folder, over, over === "pipes" ? [] : onOneWayOnly),
  );
}
