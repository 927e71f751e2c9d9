/** `StreamingTurn` as "Streaming turn". */
export function inWords(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
