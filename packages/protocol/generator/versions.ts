import { cachedCodex } from "./codex-binary.ts";
import { takeSnapshot, writeSnapshot } from "./history.ts";
import { readSurface } from "./surface.ts";

// Takes down anew which names old Codex versions know: bun packages/protocol/generator/versions.ts [VERSION...]
// They are installed into the cache on first use. Run `npm run protocol:update` afterwards.

const oldVersions = ["0.98.0", "0.118.0"];
const wanted = process.argv.slice(2);

for (const version of wanted.length > 0 ? wanted : oldVersions) {
  const snapshot = takeSnapshot(readSurface(cachedCodex(version), { experimental: true }), version);
  writeSnapshot(version, snapshot);
  console.log(`protocol: Codex ${version} knows ${snapshot.size} names`);
}
