import { realPace } from './replay/playTrack.ts';
import { runReplay } from './replay/runReplay.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

process.exitCode = await runReplay(process.argv.slice(2), {
  environment: process.env,
  pace: realPace,
  say: (line) => console.log(line),
  note: (line) => console.error(line),
  signal: interrupted.signal,
});
