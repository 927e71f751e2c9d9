/** Commands of one turn. */
export const commands = 100;
/** Files of one patch. */
export const files = 200;
