/** Largest file that is read or written as an issue. */
export const maxFileBytes: number = 1024 * 1024;
