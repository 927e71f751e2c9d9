/** Marks that are kept over a reload; the oldest go first. */
const limit = 200;
const storageKey = "quire.unread";

/** Threads with news. Kept in the browser, so that a reload does not forget them. */
export class UnreadMarks {
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | null;
  #marks: Set<string>;

  constructor(storage: Pick<Storage, "getItem" | "setItem"> | null) {
    this.#storage = storage;
    this.#marks = new Set(read(storage));
  }

  has(key: string): boolean {
    return this.#marks.has(key);
  }

  set(key: string, unread: boolean): void {
    if (this.#marks.has(key) === unread) return;
    if (unread) this.#marks.add(key);
    else this.#marks.delete(key);
    this.#marks = new Set([...this.#marks].slice(-limit));
    try {
      this.#storage?.setItem(storageKey, JSON.stringify([...this.#marks]));
    } catch {
      // A full or forbidden storage costs only the memory over a reload.
    }
  }
}

function read(storage: Pick<Storage, "getItem"> | null): string[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((mark) => typeof mark === "string") : [];
  } catch {
    return [];
  }
}
