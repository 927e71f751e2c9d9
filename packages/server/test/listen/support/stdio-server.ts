/** A small server over stdin and stdout, for tests that need a process. */
import { listen } from "../../../src/listen/index.ts";
import { echoServer } from "./echo-server.ts";

const listener = await listen(echoServer(4 * 1024 * 1024), { url: "stdio://" });
await listener.closed;
process.exit(0);
