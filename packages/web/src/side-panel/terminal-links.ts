import type { IBufferLine, ILink, ILinkProvider, Terminal } from "@xterm/xterm";

/** Web addresses; what closes a sentence or a bracket around one is not part of it. */
const address = /https?:\/\/[^\s"'<>`]+[^\s"'<>`.,:;!?)\]}]/g;

/** Rows above and below that can belong to the same long line. */
const maxRows = 20;

/** Makes the addresses in a terminal open by a click. Only what is written there is opened, so nothing can hide. */
export function linkProvider(terminal: Terminal, open: (href: string) => void): ILinkProvider {
  return {
    provideLinks(y, callback) {
      const { first, text } = lineAround(terminal, y - 1);
      const at = (offset: number) => ({
        x: (offset % terminal.cols) + 1,
        y: first + Math.floor(offset / terminal.cols) + 1,
      });
      const links = [...text.matchAll(address)].flatMap((match): readonly ILink[] => {
        if (!URL.canParse(match[0])) return [];
        const range = { start: at(match.index), end: at(match.index + match[0].length - 1) };
        if (y < range.start.y || y > range.end.y) return [];
        return [{ text: match[0], range, activate: () => open(match[0]) }];
      });
      callback(links.length === 0 ? undefined : links);
    },
  };
}

/** The whole line of which a row is a part. */
function lineAround(terminal: Terminal, row: number): { readonly first: number; readonly text: string } {
  const buffer = terminal.buffer.active;
  const textOf = (line: IBufferLine | undefined): string => line?.translateToString(false) ?? "";
  let first = row;
  while (row - first < maxRows && buffer.getLine(first)?.isWrapped === true) first -= 1;
  let last = row;
  while (last - row < maxRows && buffer.getLine(last + 1)?.isWrapped === true) last += 1;
  let text = "";
  for (let each = first; each <= last; each += 1) text += textOf(buffer.getLine(each)).padEnd(terminal.cols);
  return { first, text };
}
