import { embedded } from "./embedded.ts";
import type { PageFile } from "./page-file.ts";

/** The files of the page: those that were built beforehand, or, from source, bundled now. */
export async function loadPage(): Promise<readonly PageFile[]> {
  if (embedded === undefined) return (await import("./build-page.ts")).buildPage();
  return Promise.all(
    Object.entries(embedded).map(async ([path, file]) => {
      const content = Bun.file(file);
      return { path, type: content.type, body: await content.bytes() };
    }),
  );
}
