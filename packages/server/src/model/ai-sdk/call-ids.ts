import { createHash } from "node:crypto";

/** The longest id of a call that every provider takes. */
const maxLength = 40;

/** An id of a call as most providers take it: ids of others may be longer, or hold characters that this one refuses. */
export function legalId(id: string): string {
  const legal = id.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
  return legal.length <= maxLength ? legal : `call_${hash(id).slice(0, 32)}`;
}

/** An id of a call in the form of Mistral: nine letters and digits. Its own ids stay as they are. */
export function shortId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hash(id).slice(0, 9);
}

/** Two ids that differ in one character have others. */
const hash = (id: string): string => createHash("sha256").update(id).digest("hex");

/** A new id that is legal everywhere but where ids are short. */
export const freshId = (): string => `call_${Bun.randomUUIDv7().replaceAll("-", "")}`;
