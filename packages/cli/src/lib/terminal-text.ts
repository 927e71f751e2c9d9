import { type VisibleOptions, type VisiblePart, visibleParts } from "@quire/protocol";

/** Text of a model, a command or a server as a terminal may show it: hidden characters become marks in reverse video. */
export function terminalText(text: string, options: VisibleOptions = {}): string {
  return visibleParts(text, options).map(terminalPart).join("");
}

/** A part of a text as it is written to the terminal. */
export function terminalPart({ text, isMark }: VisiblePart): string {
  return isMark && process.stderr.isTTY && !process.env.NO_COLOR ? `\x1b[7m${text}\x1b[27m` : text;
}
