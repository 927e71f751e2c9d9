import { embedded } from "./embedded.ts";

/** One file of the page, as it is served. */
export interface PageFile {
  /** `/` for the page itself; what is under `/assets/` never changes, for its name holds the hash of its content. */
  readonly path: string;
  /** Value of the `Content-Type` header. */
  readonly type: string;
  readonly body: Uint8Array;
}

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
