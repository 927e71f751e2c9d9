/** The candidate most like a mistyped word, if any is like it at all. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of candidates) {
    // A word that was broken off is like what it would have become.
    const begun = editDistance(word, candidate.slice(0, word.length + 1)) + 1;
    const distance = Math.min(editDistance(word, candidate), begun);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Number of letters that must be inserted, deleted or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
