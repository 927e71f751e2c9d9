import type { Confinement, Launch, Launcher } from "../process/launcher.ts";
import { bubblewrapLaunch } from "./bubblewrap.ts";
import { removeIdlePlaceholders } from "./hold-placeholders.ts";
import { reachOf } from "./reach.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import { seatbeltLaunch } from "./seatbelt.ts";
import { SandboxUnavailable } from "./unavailable.ts";

/** Confines commands by the system's means. Commands with full access, or confined from outside, stay as they are. */
export function sandboxLauncher(options: SandboxOptions): Launcher {
  return (launch: Launch, confinement: Confinement): Launch => {
    const reach = reachOf(confinement, options);
    if (reach === "full") {
      // The command may want to create the path of a placeholder.
      removeIdlePlaceholders();
      return launch;
    }
    if (process.platform === "linux") return bubblewrapLaunch(launch, reach, options);
    if (process.platform === "darwin") {
      if (!reach.network || !reach.proxy) return seatbeltLaunch(launch, reach);
      throw new SandboxUnavailable("filtering by host works on Linux only; set features.network_proxy to false");
    }
    throw new SandboxUnavailable(`there is no sandbox for ${process.platform}`);
  };
}
