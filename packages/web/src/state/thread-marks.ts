/** Marks that are kept over a reload; the oldest are dropped first. */
const limit = 200;

/** Marks of threads, such as that they have news. Kept in the browser, so that a reload does not forget them. */
export class ThreadMarks {
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly #name: string;
  #marks: Set<string>;

  constructor(storage: Pick<Storage, "getItem" | "setItem"> | null, name: string) {
    this.#storage = storage;
    this.#name = name;
    this.#marks = new Set(read(storage, name));
  }

  has(key: string): boolean {
    return this.#marks.has(key);
  }

  set(key: string, marked: boolean): void {
    if (this.#marks.has(key) === marked) return;
    if (marked) this.#marks.add(key);
    else this.#marks.delete(key);
    this.#marks = new Set([...this.#marks].slice(-limit));
    try {
      this.#storage?.setItem(this.#name, JSON.stringify([...this.#marks]));
    } catch {
      // A full or forbidden storage costs only the memory over a reload.
    }
  }
}

function read(storage: Pick<Storage, "getItem"> | null, name: string): string[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(name) ?? "[]");
    return Array.isArray(stored) ? stored.filter((mark) => typeof mark === "string") : [];
  } catch {
    return [];
  }
}
