/** Attacks: names that every object knows. */
import { attack } from "@quire/testkit/attack";
import { loadHandlers } from "../../src/processors/index.ts";

/** Whether a name is taken for something that was meant, by the look-up that the server makes or by a plain one. */
async function isTaken(name: string, guarded: boolean): Promise<boolean> {
  if (!guarded) return ({} as Readonly<Record<string, unknown>>)[name] !== undefined;
  try {
    return (await loadHandlers(name)).size > 0;
  } catch {
    return true;
  }
}

attack("calls a method named __proto__", (guarded) => isTaken("__proto__", guarded));
attack("calls a method named constructor", (guarded) => isTaken("constructor", guarded));
attack("calls a method named toString", (guarded) => isTaken("toString", guarded));
