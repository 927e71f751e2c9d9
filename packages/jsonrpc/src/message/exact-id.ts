import type { RequestId } from "./message.ts";
import { withoutNested } from "./nesting.ts";

/** Features of newer engines: reading a number as it was written, and writing it so. */
interface ExactJson {
  rawJSON?(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: Context) => unknown): unknown;
}

interface Context {
  readonly source?: string;
}

/**
 * The id of a request as its reply must carry it. Clients count in 64 bits or take the clock's nanoseconds for ids, which
 * are no exact numbers here: those are kept as they were written. Node 20 cannot do that; there the id stays as it is.
 */
export function exactId(text: string, id: RequestId): RequestId {
  if (typeof id === "string" || Number.isSafeInteger(id)) return id;
  const { rawJSON, parse } = JSON as unknown as ExactJson;
  if (!rawJSON) return id;
  let source: string | undefined;
  parse(withoutNested(text), (key, value, context) => {
    if (key === "id") source = context.source;
    return value;
  });
  // It only ever goes back into JSON, where it is a number again.
  return source === undefined ? id : (rawJSON(source) as number);
}
