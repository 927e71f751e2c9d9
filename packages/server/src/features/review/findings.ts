interface Finding {
  readonly title: string;
  readonly body: string;
  readonly where: string;
}

/** A reviewer's answer for people: the verdict, then each finding. An answer in another form is shown as it is. */
export function renderReview(answer: string): string {
  const review = parse(answer);
  if (review === undefined) return answer.trim() || "The reviewer said nothing.";
  const { explanation, findings } = review;
  const heading = findings.length === 1 ? "Review comment:" : "Full review comments:";
  const comments = findings.map(({ title, body, where }) => `- ${title} — ${where}\n${indented(body)}`);
  return [explanation, ...(findings.length > 0 ? [heading, ...comments] : [])]
    .filter((part) => part !== "")
    .join("\n\n");
}

function parse(answer: string): { explanation: string; findings: Finding[] } | undefined {
  const start = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    const value = JSON.parse(answer.slice(start, end + 1)) as Record<string, unknown>;
    if (!Array.isArray(value.findings)) return undefined;
    return { explanation: text(value.overall_explanation), findings: value.findings.map(finding) };
  } catch {
    return undefined;
  }
}

function finding(value: unknown): Finding {
  const { title, body, code_location: place } = (value ?? {}) as Record<string, unknown>;
  const { absolute_file_path: file, line_range: lines } = (place ?? {}) as Record<string, unknown>;
  const { start, end } = (lines ?? {}) as Record<string, unknown>;
  const range = typeof start === "number" ? `:${start}-${typeof end === "number" ? end : start}` : "";
  return { title: text(title), body: text(body), where: `${text(file)}${range}` };
}

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

const indented = (body: string): string =>
  body
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
