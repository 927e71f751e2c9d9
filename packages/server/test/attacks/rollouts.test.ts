/** Attacks: rollouts that lie where commands can write. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { openStore } from "../../src/store/open-store.ts";
import { readRollout, unpackRollout } from "../../src/store/rollout-bytes.ts";
import { readAll } from "../../src/workspace-files/read-file.ts";
import { event, metaOf } from "../store/support.ts";
import { type World, world } from "./support/world.ts";

const id = "01a1ee66-1aa8-761a-82bf-eb8651dbbaee";
const name = `rollout-2026-11-18T11-23-51-${id}.jsonl`;
const first = `${JSON.stringify({ timestamp: "2026-11-18T11:23:51.000Z", type: "session_meta", payload: metaOf(id) })}\n`;

/** A rollout in a folder of the workspace, as a model may write one for a person to continue with. */
function planted({ workspace }: World): string {
  mkdirSync(join(workspace, "old"));
  const path = join(workspace, "old", name);
  writeFileSync(path, first);
  return path;
}

/** Whether a file outside of the workspace is written, once the rollout that was opened has become something else. */
function appends(swap: (place: World, path: string) => void) {
  return async (guarded: boolean) => {
    await using place = await world();
    const path = planted(place);
    const target = join(place.outside, name);
    writeFileSync(target, first);
    const store = openStore(place.home);
    const { rollout } = await store.openPath(path);
    swap(place, path);
    const line = event({ kind: "name", name: "$(evil)" });
    try {
      if (guarded) rollout.append([line]);
      else appendFileSync(path, JSON.stringify(line));
    } catch {
      // Refused.
    }
    await store.close();
    return readFileSync(target, "utf8").includes("$(evil)");
  };
}

attack(
  "has the server write to a file outside by a link in the place of a rollout",
  appends(({ outside }, path) => {
    rmSync(path);
    symlinkSync(join(outside, name), path);
  }),
);
attack(
  "has the server write to a file outside by a link in the place of a rollout's folder",
  appends(({ workspace, outside }) => {
    renameSync(join(workspace, "old"), join(workspace, "away"));
    symlinkSync(outside, join(workspace, "old"));
  }),
);

/** Whether another file is read in the place of a rollout that was listed before. */
function reads(swap: (place: World, path: string) => void) {
  return async (guarded: boolean) => {
    await using place = await world();
    const path = planted(place);
    writeFileSync(join(place.outside, "private"), "a secret");
    writeFileSync(join(place.home, "auth.json"), "a secret");
    rmSync(path);
    swap(place, path);
    try {
      const bytes = guarded ? readRollout(path, place.home).bytes : readFileSync(path);
      return bytes.includes("a secret");
    } catch {
      return false;
    }
  };
}

attack(
  "swaps a rollout for a link between its listing and its reading",
  reads(({ outside }, path) => symlinkSync(join(outside, "private"), path)),
);
attack(
  "swaps a rollout for a link to a key",
  reads(({ home }, path) => symlinkSync(join(home, "auth.json"), path)),
);
attack(
  "swaps a rollout for another name of a key",
  reads(({ home }, path) => linkSync(join(home, "auth.json"), path)),
);

attack("has the server wait for a pipe in the place of a rollout", async (guarded) => {
  await using place = await world();
  const path = planted(place);
  rmSync(path);
  execFileSync("mkfifo", [path]);
  if (guarded) {
    try {
      readRollout(path, place.home);
      return true;
    } catch {
      return false;
    }
  }
  // The control: whoever opens it waits for a writer, and is killed.
  try {
    execFileSync("cat", [path], { timeout: 100 });
    return false;
  } catch {
    return existsSync(path);
  }
});

attack("has an endless device read as a rollout", async (guarded) => {
  await using place = await world();
  const path = planted(place);
  rmSync(path);
  symlinkSync("/dev/zero", path);
  if (!guarded) return execFileSync("head", ["-c", "100", path]).length === 100;
  return openStore(place.home)
    .openPath(path)
    .then(
      () => true,
      () => false,
    );
});

attack("has a file read without end by adding to it", async (guarded) => {
  await using place = await world();
  const path = planted(place);
  const descriptor = openSync(path, "r");
  try {
    const stats = fstatSync(descriptor);
    // After the look, before the reading.
    appendFileSync(path, "x".repeat(10_000));
    const bytes = guarded ? readAll({ descriptor, stats }, path, 5000) : readFileSync(descriptor);
    return bytes.length > 5000;
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
});

attack("has a packed rollout unpacked through a link beside it", async (guarded) => {
  await using place = await world();
  const target = planted(place);
  rmSync(target);
  writeFileSync(`${target}.zst`, Bun.zstdCompressSync(first));
  const victim = join(place.outside, "file");
  // The name that was written to first.
  symlinkSync(victim, `${target}.${process.pid}.tmp`);
  symlinkSync(victim, target);
  if (guarded) unpackRollout(`${target}.zst`, place.home);
  else writeFileSync(`${target}.${process.pid}.tmp`, first);
  return readFileSync(victim, "utf8") !== "untouched\n";
});
