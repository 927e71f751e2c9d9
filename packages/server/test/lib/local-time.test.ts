import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const module = join(import.meta.dirname, "..", "..", "src", "lib", "local-time.ts");
const times = ["2026-01-15T12:00:00.999Z", "2026-07-15T23:30:00Z", "2024-02-29T00:00:00Z"];

/** Runs in another process, as the zone is read once. */
async function inZone(zone: string): Promise<unknown> {
  const script = `
    const { localTime } = await import(${JSON.stringify(module)});
    const runtime = (date) => new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    const times = ${JSON.stringify(times)}.map((text) => new Date(text));
    console.log(JSON.stringify(times.map((time) => [localTime(time.getTime()), runtime(time)])));`;
  const child = Bun.spawn([process.execPath, "-e", script], { env: { ...process.env, TZ: zone } });
  return JSON.parse(await new Response(child.stdout).text());
}

for (const zone of ["UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham"]) {
  test(`threads are filed under the user's date in ${zone}, in summer and winter`, async () => {
    const pairs = (await inZone(zone)) as [string, string][];
    assert.equal(pairs.length, times.length);
    for (const [ours, runtime] of pairs) assert.equal(ours, runtime);
  });
}
