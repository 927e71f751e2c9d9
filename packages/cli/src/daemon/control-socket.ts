import { join } from "node:path";

/** Where an app-server's socket is when none is named. */
export function controlSocket(home: string): string {
  return join(home, "app-server-control", "app-server-control.sock");
}
