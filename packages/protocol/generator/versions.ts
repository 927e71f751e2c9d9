import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedCodex } from "./codex-binary.ts";
import { readHistory, takeSnapshot, withSnapshot, writeHistory } from "./history.ts";
import { readSurface } from "./surface.ts";

// Adds the names of published Codex versions to the history: bun packages/protocol/generator/versions.ts [VERSION...]
// Without a version, it adds every minor version since 0.98 that npm has and the history lacks. Each one is downloaded
// (some 100 MB), asked and removed again. Run `npm run protocol:update` afterwards.

/** The oldest version that the client supports. */
const oldest = 98;

function published(): string[] {
  const output = execFileSync("npm", ["view", "@openai/codex", "versions", "--json"], { encoding: "utf8" });
  const minors = (JSON.parse(output) as string[]).filter((version) => /^0\.\d+\.0$/.test(version));
  return minors.filter((version) => Number(version.split(".")[1]) >= oldest);
}

let history = readHistory();
const asked = process.argv.slice(2);
for (const version of asked.length > 0 ? asked : published().filter((each) => !history.has(each))) {
  const directory = mkdtempSync(join(tmpdir(), `quire-codex-${version}-`));
  try {
    const snapshot = takeSnapshot(readSurface(installedCodex(version, directory), { experimental: true }), version);
    history = withSnapshot(history, version, snapshot);
    writeHistory(history);
    console.log(`protocol: Codex ${version} knows ${snapshot.size} names`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
