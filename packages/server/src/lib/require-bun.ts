import process from "node:process";

/** Throws on another runtime than Bun, where a server would start and then fail at every thread. */
export function requireBun(): void {
  if ("Bun" in globalThis) return;
  throw new Error(
    `createServer() needs Bun 1.4 or later, and this is Node ${process.version}: run your program with "npx bun FILE", or ` +
      'start the server beside it: "npm install @quire/cli" and CodexClient.spawn({ server: "quire" })',
  );
}
