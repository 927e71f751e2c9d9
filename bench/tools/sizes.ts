/** Commands of one turn. */
export const commands = 100;
/** Files of one patch. */
export const files = 200;

/** Commands of one response. Of many more, Codex 0.166.0 loses some: "exec_command failed: UnknownProcessId". */
export const together = 50;
