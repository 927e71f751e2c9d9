/** What looking at one thing came to. */
export interface Finding {
  readonly status: "ok" | "warning" | "failed";
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string | undefined;
}

/** All is well. */
export const ok = (message: string): Finding => ({ status: "ok", message });

/** It works, but not as well as it could. */
export const warning = (message: string, remedy: string): Finding => ({ status: "warning", message, remedy });

/** It does not work. */
export const failed = (message: string, remedy: string): Finding => ({ status: "failed", message, remedy });
