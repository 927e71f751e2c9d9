/** Runs the jobs, so many at a time, in the order given. Results keep that order. */
export async function pool<Result>(jobs: readonly (() => Promise<Result>)[], width: number): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at];
      if (job) results[at] = await job();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
  return results;
}
