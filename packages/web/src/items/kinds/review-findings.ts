/** A finding of a review, with the lines that it is about. */
export interface Finding {
  readonly title: string;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly body: string;
}

/** A review as servers write it: the verdict, and a list of findings. */
export interface ReviewParts {
  readonly verdict: string;
  readonly findings: readonly Finding[];
}

const findingHead = /^- (.+) — (\S.*?):(\d+)(?:-(\d+))?$/;

/** Reads a review. Text in another form is all verdict. */
export function reviewParts(review: string): ReviewParts {
  const lines = review.split("\n");
  const starts = lines.flatMap((line, index) => (findingHead.test(line) ? [index] : []));
  const [first] = starts;
  if (first === undefined) return { verdict: review, findings: [] };
  const findings = starts.map((start, index): Finding => {
    const [, title = "", path = "", from = "1", to = from] = findingHead.exec(lines[start] ?? "") ?? [];
    const body = lines.slice(start + 1, starts[index + 1]).map((line) => line.replace(/^ {2}/, ""));
    return { title, path, line: Number(from), endLine: Number(to), body: body.join("\n").trim() };
  });
  const verdict = lines
    .slice(0, first)
    .join("\n")
    .replace(/(?:Full review comments|Review comment):\s*$/, "")
    .trim();
  return { verdict, findings };
}
