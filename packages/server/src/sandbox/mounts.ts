import type { Reach } from "./reach.ts";

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

/** What bubblewrap mounts over the read-only root. Outer folders come before what lies in them, and would cover it. */
export function mountArguments({ writable, anchors, readOnly, hidden }: Reach): string[] {
  const bind = (at: string): Mount => ({ at, args: ["--bind", at, at] });
  // Of one path, the last counts.
  const mounts: Mount[] = [
    ...writable.map(bind),
    // A place where something is mounted cannot be renamed.
    ...anchors.map(bind),
    // It is there once the launch holds it, unless nobody can make it.
    ...readOnly.map((at) => ({ at, args: ["--ro-bind-try", at, at] })),
    ...hidden.map(({ folder }) => ({ at: folder, args: ["--tmpfs", folder] })),
    ...hidden.flatMap(({ shown }) => shown.map(({ at, source }) => ({ at, args: ["--ro-bind", source, at] }))),
  ];
  return [
    ...mounts.sort((a, b) => a.at.length - b.at.length).flatMap(({ args }) => args),
    // Now that places were made in it for what is mounted there.
    ...hidden.flatMap(({ folder }) => ["--remount-ro", folder]),
  ];
}
