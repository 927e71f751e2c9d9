/** Elements of two lists side by side; an element without partner stands alone. */
export interface Pair<T> {
  readonly real?: T;
  readonly ours?: T;
}

/**
 * Aligns two lists so that as many elements as possible stand beside one with the same signature, in order. So one
 * missing element is one difference and not a shift of all that follow.
 */
export function align<T>(real: readonly T[], ours: readonly T[], signature: (element: T) => string): Pair<T>[] {
  const left = real.map(signature);
  const right = ours.map(signature);
  if (left.length === right.length && left.every((each, index) => each === right[index])) {
    return real.map((one, index) => ({ real: one, ours: ours[index] as T }));
  }
  const lengths = commonLengths(left, right);
  const length = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const pairs: Pair<T>[] = [];
  let i = 0;
  let j = 0;
  while (i < real.length || j < ours.length) {
    const [one, other] = [real[i], ours[j]];
    if (one !== undefined && other !== undefined && left[i] === right[j]) {
      pairs.push({ real: one, ours: other });
      i++;
      j++;
    } else if (one !== undefined && (other === undefined || length(i + 1, j) >= length(i, j + 1))) {
      pairs.push({ real: one });
      i++;
    } else if (other !== undefined) {
      pairs.push({ ours: other });
      j++;
    }
  }
  return pairs;
}

/** `[i][j]`: how long the longest common subsequence is of what follows these places. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--) {
    const row = table[i] ?? [];
    const below = table[i + 1] ?? [];
    for (let j = right.length - 1; j >= 0; j--) {
      const same = left[i] === right[j];
      row[j] = same ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
