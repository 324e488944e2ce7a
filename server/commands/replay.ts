import { realPace } from './replay/playTrack.ts';
import { runReplay } from './replay/runReplay.ts';

/** Runs the command until it ends or is interrupted; answers its exit code. */
export function run(args: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  return runReplay(args, {
    environment: process.env,
    pace: realPace,
    say: (line) => console.log(line),
    note: (line) => console.error(line),
    signal: interrupted.signal,
  });
}
