/** A client connected, as in the README. */
import { writeSync } from "node:fs";
import { CodexClient } from "@quire/client";

const client = await CodexClient.spawn({ command: process.argv.slice(2) });
if (!client.server?.userAgent) throw new Error("The client is not connected");
writeSync(1, "ready\n");
process.exit(0);
