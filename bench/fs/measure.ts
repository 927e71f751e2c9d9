import { join } from "node:path";
import type { Subject } from "../server/subject.ts";
import { median } from "../stats.ts";
import { inFlight, largeMb, repeats, small } from "./sizes.ts";

/** Times of one server, in ms. */
export interface Sample {
  readonly writesMs: number;
  readonly readsMs: number;
  readonly metadataMs: number;
  readonly listMs: number;
  readonly copyMs: number;
  readonly removeMs: number;
  readonly largeWriteMs: number;
  readonly largeReadMs: number;
  readonly peakMb: number;
}

/** Works with files below a folder, and leaves none. */
export async function measure(subject: Subject, root: string): Promise<Sample> {
  const folder = join(root, "files");
  const copy = join(root, "copy");
  const large = join(root, "large");
  const request = (method: string, params: object) => subject.request(`fs/${method}`, params);
  const each = (method: string, params: object = {}) =>
    timed(() => many((index) => request(method, { path: join(folder, `file-${index}.txt`), ...params })));
  await request("createDirectory", { path: folder });
  const text = Buffer.from("A small file, as most are.\n".repeat(20)).toString("base64");
  const writesMs = await each("writeFile", { dataBase64: text });
  const readsMs = await each("readFile");
  const metadataMs = await each("getMetadata");
  const [lists, copies, removals] = [[], [], []] as [number[], number[], number[]];
  for (let n = 0; n < repeats; n++) {
    lists.push(await timed(() => request("readDirectory", { path: folder })));
    copies.push(await timed(() => request("copy", { sourcePath: folder, destinationPath: copy, recursive: true })));
    removals.push(await timed(() => request("remove", { path: copy })));
  }
  const sample = {
    writesMs,
    readsMs,
    metadataMs,
    listMs: median(lists),
    copyMs: median(copies),
    removeMs: median(removals),
    largeWriteMs: await timed(() => request("writeFile", { path: large, dataBase64: largeText })),
    largeReadMs: await timed(() => request("readFile", { path: large })),
  };
  await request("remove", { path: folder });
  await request("remove", { path: large });
  return { ...sample, peakMb: subject.peakMb };
}

const largeText = Buffer.alloc(largeMb * 1024 * 1024, "0123456789abcdef").toString("base64");

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function many(request: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < small) await request(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
