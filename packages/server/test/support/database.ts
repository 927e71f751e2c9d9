import { testDatabase } from "@quire/testkit/postgres";

/** True unless the tests run on PostgreSQL, where a thread's file is a copy: for tests of what is done to files. */
export const storedInFiles: boolean = process.env.QUIRE_TEST_STORE !== "postgres";

const databases = new Map<string, Promise<string>>();

/** A database for the threads of a test, the same for each server of a home; none unless the tests run on PostgreSQL. */
export async function databaseOfTest(home?: string): Promise<string | undefined> {
  if (storedInFiles) return undefined;
  if (home === undefined) return testDatabase();
  const made = databases.get(home) ?? testDatabase();
  databases.set(home, made);
  return made;
}
