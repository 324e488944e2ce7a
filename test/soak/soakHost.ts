import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { makeDealer } from '../../server/app.ts';
import { startHostProcess, type HostProcess, type ReadyHost } from '../journey/hostProcess.ts';
import { apiClientFor, logIn, type ApiClient } from '../support/caller.ts';
import { dealerLogin, dealerPassword } from '../support/testHost.ts';
import type { Counters } from './counters.ts';

/** A host in a process of its own that is killed and started again while terminals speak to it. */
export interface SoakHost {
  /** Null while it is gone. */
  ready(): ReadyHost | null;
  /** Of its API. Throws while it is gone, as does `dealer`. */
  url(): string;
  /** Calls in the dealer's name. */
  dealer(): ApiClient;
  /** Ends it in this way and starts it again over the same data; resolves when it is there again. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** What the process that runs now takes up, in MiB; null where this machine does not report it. */
  residentMib(): Promise<number | null>;
  /** Since its last start. */
  age_s(): number;
  /** Lines of its log that are warnings, or worse, by their words: how often. */
  warnings(): ReadonlyMap<string, number>;
  /** Ends it in good order. */
  end(): Promise<void>;
}

const logLine = z.looseObject({ level: z.number(), msg: z.string().optional() });
const warning = 40;
const error = 50;

/** Starts one with a vehicle for each of these terminals. */
export async function startSoakHost(
  data: string,
  terminals: readonly string[],
  tally: Counters,
): Promise<SoakHost> {
  await makeDealer(data, dealerLogin, dealerPassword);
  const warnings = new Map<string, number>();
  let process: HostProcess;
  let there: ReadyHost | null = null;
  let started_ms = 0;
  let isExpectedToEnd = false;

  async function start(): Promise<void> {
    const mine = startHostProcess(data);
    process = mine;
    isExpectedToEnd = false;
    there = await mine.ready;
    started_ms = Date.now();
    void mine.ended.then(([code, signal]) => {
      readLog(mine.said());
      if (isExpectedToEnd || process !== mine) return;
      there = null;
      tally.fault(`the host has ended by itself (${code ?? signal ?? ''})`, mine.said().slice(-2_000));
    });
  }

  function readLog(text: string): void {
    for (const line of text.split('\n').filter((it) => it !== '')) {
      const read = logLine.safeParse(parsed(line));
      if (!read.success) {
        tally.fault('the host wrote what is no line of its log', line.slice(0, 500));
        continue;
      }
      const { level, msg = '', listener, reason } = read.data;
      if (level < warning) continue;
      const words = [listener, reason, msg].filter((it) => typeof it === 'string').join(': ');
      warnings.set(words, (warnings.get(words) ?? 0) + 1);
      if (level >= error) tally.fault(`an error in the host's log: ${words}`, line.slice(0, 1_000));
    }
  }

  async function stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    isExpectedToEnd = true;
    there = null;
    const [code] = await process.end(signal);
    if (signal === 'SIGTERM' && code !== 0)
      tally.fault(`asked to end, the host ended with ${code ?? 'a signal'}`);
  }

  await start();
  const first = await logIn(present().url, dealerLogin, dealerPassword);
  const rows = terminals.map((terminal_id) => ({ terminal_id, name: terminal_id }));
  const imported = await first.post('/api/v1/vehicles/import', rows);
  if (imported.status !== 200) throw new Error(`the vehicles were not taken: ${imported.text}`);

  function present(): ReadyHost {
    if (there === null) throw new Error('the host is gone');
    return there;
  }

  return {
    ready: () => there,
    url: () => present().url,
    dealer: () => apiClientFor(present().url, first.jwt),
    age_s: () => Math.round((Date.now() - started_ms) / 1_000),
    warnings: () => warnings,
    async restart(signal) {
      await stop(signal);
      await start();
    },
    async residentMib() {
      try {
        const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(process.pid)]);
        return Math.round(Number(stdout) / 1_024);
      } catch {
        return null;
      }
    },
    end: () => stop('SIGTERM'),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
