/** Stores that keep sessions and threads beyond one program: in memory, files, SQLite, PostgreSQL. */
export { fileStore } from "./stores/file-store.ts";
export { memoryStore } from "./stores/memory-store.ts";
export { type PostgresStoreOptions, postgresStore } from "./stores/postgres-store.ts";
export { type SqliteDatabase, sqliteStore } from "./stores/sqlite-store.ts";
export { type Store, StoreConflictError, type StoredText, type WriteOptions } from "./stores/store.ts";
export { type OpenSessionOptions, openSession, type StoredSession } from "./stores/stored-session.ts";
export { loadThread, saveThread, type ThreadReference } from "./stores/stored-thread.ts";
