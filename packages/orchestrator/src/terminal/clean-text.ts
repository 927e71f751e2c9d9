/** Text of trackers and agents as one line without control characters: it must not move the cursor or change colours. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

/** The text in exactly `width` columns: cut with an ellipsis, or filled with blanks. Wide characters count as two. */
export function fit(text: string, width: number): string {
  const clean = oneLine(text);
  const space = width - Bun.stringWidth(clean);
  if (space >= 0) return clean + " ".repeat(space);
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  for (const character of clean) {
    const next = Bun.stringWidth(character);
    if (used + next > width - 1) break;
    kept += character;
    used += next;
  }
  return `${kept}…${" ".repeat(width - 1 - used)}`;
}
