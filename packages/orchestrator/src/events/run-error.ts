/** Why something did not work: a code for programs and a text for people. */
export interface RunError {
  readonly code: string;
  readonly message: string;
}

/** Longest text of an error that is kept. */
const maxMessage = 2000;

/** Turns anything thrown into a code and a message. */
export function toRunError(error: unknown, fallback = "internal_error"): RunError {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const text = typeof message === "string" && message !== "" ? message : String(error);
  return { code: typeof code === "string" ? code : fallback, message: text.slice(0, maxMessage) };
}
