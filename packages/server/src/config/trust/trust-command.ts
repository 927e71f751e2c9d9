/** The command that trusts the project around a folder as it is now. */
export function trustCommand(folder: string): string {
  return `quire trust ${/^[\w./@%+,:-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
}
