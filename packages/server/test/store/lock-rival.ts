/** Takes and gives back the right to write a thread, over and over, with a turn each time. Run by `lock.test.ts`. */
import { openStore } from "../../src/store/open-store.ts";
import { ThreadInUse } from "../../src/store/thread-store.ts";
import { turnLines } from "./support.ts";

const [home = "", threadId = "", turns = ""] = process.argv.slice(2);
const opened = await openStore(home).open(threadId);
if (!opened) throw new Error(`no thread ${threadId} in ${home}`);
const { rollout } = opened;
for (let written = 0; written < Number(turns); ) {
  try {
    rollout.begin();
  } catch (error) {
    if (!(error instanceof ThreadInUse)) throw error;
    await new Promise((resolve) => setImmediate(resolve));
    continue;
  }
  for (const line of turnLines(`${process.pid}-${written}`, "mine")) rollout.append([line]);
  written++;
  rollout.end();
}
