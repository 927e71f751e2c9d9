export { findPostgres } from "./find-postgres.ts";
export { type PostgresServer, postgresServer } from "./postgres-server.ts";
export { testDatabase } from "./test-database.ts";
