/** Attacks: files and processes, where the walls of bubblewrap have fallen and Landlock alone is left. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { findEntry } from "../../../src/run/sandbox/entry/find-entry.ts";
import { findBubblewrap } from "../../../src/run/sandbox/find-bubblewrap.ts";
import { outputOf } from "../support/attempt.ts";
import { isAlive, victim } from "../support/victim.ts";
import { type World, world } from "../support/world.ts";

/** Runs a script by the entry program, with no sandbox around it, and with Landlock or without. */
async function run(place: World, guarded: boolean, script: string, more: Record<string, string> = {}): Promise<string> {
  const { home, workspace, outside } = place;
  const entry = findEntry(home, findBubblewrap(process.env.PATH, []).path);
  if (!entry?.landlock) throw new Error("these attacks need a kernel with Landlock");
  const rules = guarded ? ["c", "-", workspace, "-", "/dev", ""] : ["p"];
  const argv = [entry.path, ...rules, "/usr/bin/env", "--", "/bin/bash", "-c", `${script}\necho the end`];
  const env = { PATH: process.env.PATH ?? "", WS: workspace, OUT: outside, ...more };
  const output = await outputOf({ argv, cwd: workspace, env });
  if (!output.includes("the end")) throw new Error(`the script did not come to its end: ${output}`);
  return output;
}

/** Whether a script changes something outside. It must be able to work in the workspace in any case. */
async function changes(guarded: boolean, script: string, isDone: (place: World) => boolean): Promise<boolean> {
  await using place = await world();
  mkdirSync(join(place.outside, "folder"));
  await run(place, guarded, `mkdir -p d/e; echo one > d/f; mv d/f d/e/g; : > d/e/g; ln -s x l; rm l; ${script}`);
  if (!existsSync(join(place.workspace, "d/e/g"))) throw new Error("the workspace cannot be written");
  return isDone(place);
}

const touched = ({ outside }: World) => readFileSync(join(outside, "file"), "utf8") !== "untouched\n";
const makes = (name: string) => (place: World) => existsSync(join(place.outside, name));
const lacks = (name: string) => (place: World) => !existsSync(join(place.outside, name));

attack("writes to a file, held back by Landlock alone", (guarded) =>
  changes(guarded, 'echo evil >> "$OUT/file"', touched),
);
attack("empties a file by its path, held back by Landlock alone", (guarded) =>
  changes(guarded, `perl -e 'truncate("$ENV{OUT}/file", 0)'`, touched),
);
attack("makes a file, held back by Landlock alone", (guarded) =>
  changes(guarded, 'echo evil > "$OUT/new"', makes("new")),
);
attack("makes a folder, held back by Landlock alone", (guarded) => changes(guarded, 'mkdir "$OUT/new"', makes("new")));
attack("makes a link, held back by Landlock alone", (guarded) => changes(guarded, 'ln -s / "$OUT/new"', makes("new")));
attack("makes a hard link, held back by Landlock alone", (guarded) =>
  changes(guarded, 'ln d/e/g "$OUT/new"', makes("new")),
);
attack("makes a named pipe, held back by Landlock alone", (guarded) =>
  changes(guarded, 'mkfifo "$OUT/new"', makes("new")),
);
attack("makes a socket, held back by Landlock alone", (guarded) =>
  changes(
    guarded,
    `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un("$ENV{OUT}/new"))'`,
    makes("new"),
  ),
);
attack("removes a file, held back by Landlock alone", (guarded) =>
  changes(guarded, 'rm -f "$OUT/file"', lacks("file")),
);
attack("removes a folder, held back by Landlock alone", (guarded) =>
  changes(guarded, 'rmdir "$OUT/folder"', lacks("folder")),
);
attack("moves a file out of the workspace, held back by Landlock alone", (guarded) =>
  changes(guarded, 'cp d/e/g h; mv h "$OUT/new"', makes("new")),
);
attack("moves a file into the workspace, held back by Landlock alone", (guarded) =>
  changes(guarded, 'mv "$OUT/file" stolen', lacks("file")),
);
attack("writes through a link of the workspace, held back by Landlock alone", (guarded) =>
  changes(guarded, 'ln -s "$OUT" link; echo evil > link/file', touched),
);
attack("sends a signal to a process outside, held back by Landlock alone", async (guarded) => {
  await using place = await world();
  using target = await victim('print "ready\\n"; sleep 100');
  const said = await run(place, guarded, 'kill -KILL "$VICTIM" || echo refused', { VICTIM: target.pid });
  return !said.includes("refused") || !isAlive(target);
});
attack("lifts Landlock in a program that it starts", (guarded) =>
  changes(guarded, `setsid -w env -i bash -c 'echo evil > "$0"' "$OUT/file"`, touched),
);
