import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** A file system with room for next to nothing. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Makes room. */
  grow(): void;
}

/**
 * Mounts one; undefined where that is not permitted.
 *
 * @param room By default there is room for the root and one folder; a workspace takes more.
 */
export async function smallDisk(path: string, room = "size=64k,nr_inodes=3"): Promise<SmallDisk | undefined> {
  mkdirSync(path);
  const mount = (options: string) =>
    execFileSync("mount", ["-t", "tmpfs", "-o", `mode=755,${options}`, "tmpfs", path], { stdio: "ignore" });
  try {
    mount(room);
  } catch {
    return undefined;
  }
  return {
    path,
    grow: () => mount("remount,size=4m,nr_inodes=1000"),
    async [Symbol.asyncDispose]() {
      execFileSync("umount", ["-l", path]);
    },
  };
}
