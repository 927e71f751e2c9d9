/** The agent's live kit, written for the real Codex, on our own server. */
import { join } from "node:path";
import { test } from "node:test";
import { passesOnServer, ways } from "./lib/on-server.ts";

for (const over of ways) {
  test(`the agent's live kit passes on our server over ${over}`, { timeout: 400_000 }, () =>
    passesOnServer(join("packages", "agent", "test", "live"), over),
  );
}
