/**
 * Does something whenever it is asked for, one at a time: asked for while it is under way, however often, it is done once
 * more afterwards. `work` must not reject.
 */
export function oneAtATime(work: () => Promise<void>): () => void {
  let underWay = false;
  let again = false;
  const run = async (): Promise<void> => {
    underWay = true;
    do {
      again = false;
      await work();
    } while (again);
    underWay = false;
  };
  return () => {
    again = true;
    if (!underWay) void run();
  };
}
