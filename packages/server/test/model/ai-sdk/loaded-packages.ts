/** Runs a turn on a model behind the wire that is named as argument, and prints which packages of the AI SDK were loaded. */
import process from "node:process";
import { stage, wireNamed } from "./stage.ts";

await using set = await stage(wireNamed(process.argv[2] ?? ""));
const { status } = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
const names = Object.keys(require.cache).flatMap(
  (path) => /node_modules\/(@ai-sdk\/[\w-]+)\/dist/.exec(path)?.[1] ?? [],
);
console.log(JSON.stringify({ status, names: [...new Set(names)].sort() }));
