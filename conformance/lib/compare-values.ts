/** A place where two runs differ. */
export interface Found {
  /** Path that a declared difference has to match. List indices are left out. */
  readonly where: string;
  readonly real: string;
  readonly ours: string;
}

const absent = Symbol("absent");

/** The differences between two values, each with its path behind the title. */
export function compareValues(title: string, real: unknown, ours: unknown): Found[] {
  return below("", real, ours).map((found) => ({ ...found, where: `${title} ${found.where}`.trimEnd() }));
}

function below(path: string, real: unknown, ours: unknown): Found[] {
  if (isRecord(real) && isRecord(ours)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => below(path === "" ? key : `${path}.${key}`, at(real, key), at(ours, key)));
  }
  if (Array.isArray(real) && Array.isArray(ours) && real.length === ours.length) {
    return real.flatMap((element, index) => below(path, element, ours[index]));
  }
  const [one, other] = [show(real), show(ours)];
  return one === other ? [] : [{ where: path, real: one, ours: other }];
}

function at(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : absent;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return value === absent ? "(absent)" : (JSON.stringify(value, sorted) ?? "(absent)");
}

/** The order of keys means nothing. */
function sorted(_: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
