import { checkKey, newVersion, type Store, StoreConflictError, type StoredText } from "./store.ts";

/** A store in memory, for tests and for programs that need nothing later. */
export function memoryStore(): Store {
  const texts = new Map<string, StoredText>();
  return {
    read: async (key) => {
      checkKey(key);
      return texts.get(key);
    },
    write: async (key, text, { expected } = {}) => {
      checkKey(key);
      if (expected !== undefined && (texts.get(key)?.version ?? null) !== expected) throw new StoreConflictError(key);
      const version = newVersion();
      texts.set(key, { text, version });
      return version;
    },
    delete: async (key) => {
      checkKey(key);
      texts.delete(key);
    },
    keys: async (prefix = "") => [...texts.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}
