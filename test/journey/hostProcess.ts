import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { freePorts } from '../support/freePorts.ts';

const fleetdeck = fileURLToPath(new URL('../../server/commands/fleetdeck.cjs', import.meta.url));
const readyLine = z.object({
  ready: z.literal(true),
  url: z.string(),
  intake: z.object({ osmand: z.number(), teltonika: z.number(), wialon: z.number(), jt808: z.number() }),
});

/** Where it listens; Teltonika and Wialon by TCP and by UDP. */
export interface ReadyHost {
  url: string;
  intakeUrl: string;
  teltonikaPort: number;
  wialonPort: number;
  jt808Port: number;
}

/** A host in a process of its own, as `npm run serve` starts it. */
export interface HostProcess {
  /** Resolves when it accepts calls; rejects when it ends before that. */
  ready: Promise<ReadyHost>;
  readonly pid: number | undefined;
  /** Ends it with this signal; resolves when it is gone, with its exit code and signal. */
  end(signal: NodeJS.Signals): Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** What it has written to standard error. */
  said(): string;
}

export function startHostProcess(data: string): HostProcess {
  const child = spawn(process.execPath, [fleetdeck, 'serve', '--data', data, ...freePorts()], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit') as HostProcess['ended'];
  const firstLine = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const ready = Promise.race([
    firstLine.then(([line]) => readyLine.parse(JSON.parse(line))),
    ended.then(([code, signal]) => {
      throw new Error(`the host has ended (${code ?? signal ?? ''}) before it was ready:\n${said}`);
    }),
  ]).then(({ url, intake }) => ({
    url,
    intakeUrl: `http://127.0.0.1:${intake.osmand}`,
    teltonikaPort: intake.teltonika,
    wialonPort: intake.wialon,
    jt808Port: intake.jt808,
  }));
  // Who ends it before it is ready does not wait for that.
  ready.catch(() => undefined);
  return {
    ready,
    pid: child.pid,
    ended,
    said: () => said,
    async end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
