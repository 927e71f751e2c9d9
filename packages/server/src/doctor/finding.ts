/** The result of a check. */
export interface Finding {
  readonly status: "ok" | "warning" | "failed";
  readonly message: string;
  readonly remedy?: string | undefined;
}

/** A passed check. */
export const ok = (message: string): Finding => ({ status: "ok", message });

/** A check with a problem that does not stop the server. */
export const warning = (message: string, remedy: string): Finding => ({ status: "warning", message, remedy });

/** A failed check. */
export const failed = (message: string, remedy: string): Finding => ({ status: "failed", message, remedy });
