import { appendFileSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { requestEach } from "../../lib/steps.ts";

async function changed(peer: Peer, path: string): Promise<void> {
  await peer.waitFor("fs/changed", ({ changedPaths }) => changedPaths.includes(path));
}

/** Files of the machine. */
export const files: readonly Scenario[] = [
  {
    name: "files/read-write",
    covers: "Files are written, read, copied and removed; what cannot be done is told",
    run: async (stage) => {
      const peer = await stage.connect();
      const at = (...parts: string[]) => join(stage.cwd, ...parts);
      const dataBase64 = Buffer.from([0, 255, 10, 128]).toString("base64");
      await requestEach(peer, "fs/writeFile", [
        { path: at("f"), dataBase64 },
        { path: at("no", "f"), dataBase64 },
        { path: at(), dataBase64 },
        { path: at("g"), dataBase64: "aG%" },
        { path: at("g"), dataBase64: "aGk" },
      ]);
      await requestEach(
        peer,
        "fs/readFile",
        ["relative", at("f"), at("none"), at(), at("f", "x")].map((path) => ({ path })),
      );
      await requestEach(peer, "fs/createDirectory", [
        { path: at("a", "b") },
        { path: at("a", "b") },
        { path: at("a", "b"), recursive: false },
        { path: at("x", "y"), recursive: false },
        { path: at("f") },
      ]);
      symlinkSync("../f", at("a", "link"));
      symlinkSync("nowhere", at("a", "dangling"));
      await requestEach(
        peer,
        "fs/getMetadata",
        [at("f"), at("a"), at("a", "link"), at("a", "dangling")].map((path) => ({ path })),
      );
      await requestEach(peer, "fs/readDirectory", [{ path: at("a", "b") }, { path: at("f") }, { path: at("none") }]);
      await requestEach(peer, "fs/copy", [
        { sourcePath: at("f"), destinationPath: at("f2") },
        { sourcePath: at("a"), destinationPath: at("a2") },
        { sourcePath: at("a"), destinationPath: at("n", "a2"), recursive: true },
        { sourcePath: at("a"), destinationPath: at("a", "sub"), recursive: true },
        { sourcePath: at("none"), destinationPath: at("y") },
      ]);
      await requestEach(peer, "fs/remove", [
        { path: at("none") },
        { path: at("none"), force: false },
        { path: at("n"), recursive: false },
        { path: at("n") },
        { path: at("a", "dangling") },
        { path: "relative" },
      ]);
    },
  },
  {
    name: "files/watch",
    covers: "Changes of a watched file and folder: written, replaced, gone and back",
    run: async (stage) => {
      const peer = await stage.connect();
      const at = (...parts: string[]) => join(stage.cwd, ...parts);
      mkdirSync(at("a"));
      writeFileSync(at("f"), "1");
      await requestEach(peer, "fs/watch", [
        { path: "relative", watchId: "x" },
        { path: at("f"), watchId: "file" },
        { path: at("f"), watchId: "file" },
        { path: at("a"), watchId: "folder" },
        { path: at("later"), watchId: "later" },
      ]);
      appendFileSync(at("f"), "2");
      await changed(peer, at("f"));
      writeFileSync(at("new"), "3");
      renameSync(at("new"), at("f"));
      await changed(peer, at("f"));
      writeFileSync(at("a", "one"), "1");
      await changed(peer, at("a", "one"));
      writeFileSync(at("later"), "1");
      await changed(peer, at("later"));
      rmSync(at("a", "one"));
      await changed(peer, at("a", "one"));
      rmdirSync(at("a"));
      await changed(peer, at("a"));
      await requestEach(peer, "fs/unwatch", [{ watchId: "file" }, { watchId: "file" }, { watchId: "none" }]);
    },
  },
];
