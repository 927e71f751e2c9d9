/** Tables that belong to objects of others: neither a signal nor a port of a user's can have a field of ours. */
const registries: readonly string[] = ["packages/client/src/lib/on-abort.ts", "packages/client/src/port/on-ended.ts"];

const table = /^(.*)\n(?:export )?(?:const|let) \w+[^=\n]*= new Weak(?:Map|Set)\b/gm;

/** Reports each table of objects at the top of a module that is no cache: state is a field or a service of its owner. */
export function hiddenState(file: string, text: string): string[] {
  if (registries.includes(file)) return [];
  return [...text.matchAll(table)]
    .filter(([, comment = ""]) => !comment.startsWith("/** A pure cache"))
    .map(
      ([, comment = ""]) => `${file}: a WeakMap is a field or a service of its owner, or "A pure cache": ${comment}`,
    );
}
