const lookMs = 20;

/** By how much the process, all its threads together, grew at the most while something ran. */
export async function peakMemory<T>(run: () => Promise<T>): Promise<{ result: T; growthMb: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), lookMs);
  try {
    const result = await run();
    return { result, growthMb: (peak - before) / 1e6 };
  } finally {
    clearInterval(timer);
  }
}
