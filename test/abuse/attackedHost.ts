import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunningHost } from '../../server/app.ts';
import { startOver } from '../bench/hostApart.ts';

/** What a host takes, by its own account. */
export interface Sample {
  rss_bytes: number;
  /** The most since its process began. */
  peak_rss_bytes: number;
  /** Of its main thread alone, since its process began. */
  mainThreadS: number;
  /** The longest that its event loop was held up since the last sample. */
  delay_ms: number;
}

/** A host with the given limits, over a copy of a data folder, in a process of its own. */
export interface AttackedHost {
  url: string;
  intake: RunningHost['intake'];
  /** Resolves with a sample that was taken after now; null when the host died, or says nothing for `patience_ms`. */
  sample(patience_ms: number): Promise<Sample | null>;
  /** All samples so far. */
  samples: readonly Sample[];
  /** How it ended, when it ended by itself; else null. */
  death(): string | null;
  close(): Promise<void>;
}

const sampleEveryMs = 100;
/** A host that does not end by itself in this time is killed. */
const closing_ms = 10_000;

export async function startAttackedHost(folder: string): Promise<AttackedHost> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-abuse-'));
  await cp(folder, data, { recursive: true });
  const child = fork(fileURLToPath(import.meta.url), [asked, data], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  let death: string | null = null;
  let isClosing = false;
  const gone = once(child, 'exit').then(([code, signal]) => {
    if (!isClosing) death = wayToDie(code as number | null, signal as string | null, said);
  });
  const samples: Sample[] = [];
  const ready = await Promise.race([once(child, 'message'), gone]);
  if (!Array.isArray(ready)) {
    await rm(data, { recursive: true, force: true });
    throw new Error(`the host did not start: ${said}`);
  }
  const { url, intake } = ready[0] as Pick<RunningHost, 'url' | 'intake'>;
  child.on('message', (sample) => samples.push(sample as Sample));
  return {
    url,
    intake,
    samples,
    death: () => death,
    async sample(patience_ms) {
      // The next one may have been taken before now.
      const wanted = samples.length + 2;
      const deadline = performance.now() + patience_ms;
      while (samples.length < wanted && death === null && performance.now() < deadline)
        await pause(sampleEveryMs / 2);
      return samples.length < wanted ? null : (samples.at(-1) ?? null);
    },
    async close() {
      isClosing = true;
      await end(child, gone);
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.connected) child.send('close');
  const timer = setTimeout(() => child.kill('SIGKILL'), closing_ms);
  await gone;
  clearTimeout(timer);
}

function wayToDie(code: number | null, signal: string | null, said: string): string {
  if (/heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(said)) return 'out of memory';
  return signal === null ? `exit code ${code ?? '?'}` : signal;
}

const asked = 'as-host-under-attack';

if (process.argv[2] === asked) {
  const host = await startOver(process.argv[3] ?? '', {});
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage();
    const sample: Sample = {
      rss_bytes: process.memoryUsage.rss(),
      peak_rss_bytes: process.resourceUsage().maxRSS * 1_024,
      mainThreadS: (user + system) / 1e6,
      delay_ms: delay.max / 1e6,
    };
    delay.reset();
    process.send?.(sample);
  }, sampleEveryMs);
  process.once('message', () => {
    clearInterval(timer);
    void host.close().then(() => process.disconnect());
  });
  // The attacker is gone: nobody will end this host.
  process.once('disconnect', () => process.exit());
  process.send?.({ url: host.url, intake: host.intake });
}
