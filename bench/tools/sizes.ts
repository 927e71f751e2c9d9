/** Commands of one turn. */
export const commands = 100;
/** Files of one patch. */
export const files = 200;

/** Commands of one response. Of many more, Codex loses some: "exec_command failed: UnknownProcessId". */
export const together = 50;
