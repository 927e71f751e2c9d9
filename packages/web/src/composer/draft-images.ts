import type { AttachedImage } from "./images.ts";

/** Images of this many drafts are kept, and no more bytes than this; the oldest are dropped first. */
const maxDrafts = 20;
const maxBytes = 64 * 1024 * 1024;

const storeName = "images";
/** Over age and size, so that both can be read without the images. */
const indexName = "age";

interface Row {
  readonly key: string;
  readonly images: readonly AttachedImage[];
  readonly at: number;
  readonly bytes: number;
}

let opening: Promise<IDBDatabase> | undefined;

/** The images that a draft had when it was last in view; none where the browser keeps nothing. */
export async function keptImages(key: string): Promise<readonly AttachedImage[]> {
  try {
    const store = (await database()).transaction(storeName).objectStore(storeName);
    const row = await result<Row | undefined>(store.get(key));
    return row?.images ?? [];
  } catch {
    return [];
  }
}

/** Keeps the images of a draft over a reload. Where the browser does not let it, they live as long as the page. */
export async function keepImages(key: string, images: readonly AttachedImage[]): Promise<void> {
  try {
    const store = (await database()).transaction(storeName, "readwrite").objectStore(storeName);
    if (images.length === 0) {
      await result(store.delete(key));
      return;
    }
    // A character of a `data:` address is a byte at least.
    const bytes = images.reduce((sum, { url }) => sum + url.length, 0);
    await result(store.put({ key, images, at: Date.now(), bytes } satisfies Row));
    await prune(store);
  } catch {
    // A full or forbidden storage must not keep anybody from writing.
  }
}

/** Goes from the newest to the oldest, and removes what lies beyond the bounds. */
function prune(store: IDBObjectStore): Promise<void> {
  return new Promise((resolve, reject) => {
    const cursor = store.index(indexName).openKeyCursor(null, "prev");
    let drafts = 0;
    let total = 0;
    cursor.onerror = () => reject(cursor.error);
    cursor.onsuccess = () => {
      const at = cursor.result;
      if (at === null) return resolve();
      const [, bytes = 0] = at.key as number[];
      drafts += 1;
      total += bytes;
      if (drafts > maxDrafts || total > maxBytes) store.delete(at.primaryKey);
      at.continue();
    };
  });
}

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("quire-drafts", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(storeName, { keyPath: "key" }).createIndex(indexName, ["at", "bytes"]);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

function result<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error);
  });
}
