/** Changes of an issue's branch. */
export interface IssueDiff {
  readonly text: string;
  /** True if there are more than can be shown. */
  readonly isCut: boolean;
}

/** Most characters of a diff that are shown. */
const maxLength = 1024 * 1024;

/** The beginning of a diff, in whole lines: half of a credential would not be recognised as one. */
export function cutDiff(text: string): IssueDiff {
  if (text.length <= maxLength) return { text, isCut: false };
  return { text: text.slice(0, text.lastIndexOf("\n", maxLength - 1) + 1), isCut: true };
}
