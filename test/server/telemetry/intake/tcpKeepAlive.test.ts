import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectToy, openToyListener } from './toyListener.ts';

/** Linux lists there which timer of a connection runs; other systems do not show it to a program. */
const table = '/proc/net/tcp';
const hasTable = existsSync(table);
const unlessTable = hasTable ? '' : ` (skipped: there is no ${table})`;

/** Neither the timer for sending again (01) nor one of an end: Linux, Documentation/networking/proc_net_tcp.rst. */
const keepAliveTimer = '02';

/** When the system asks for the other side of a connection that stays silent; `Infinity`: never. */
async function askedWithinS(ownPort: number, otherPort: number): Promise<number> {
  const rows = (await readFile(table, 'latin1')).split('\n').map((line) => line.trim().split(/\s+/));
  const row = rows.find(([, own, other]) => portOf(own) === ownPort && portOf(other) === otherPort);
  const [timer, hundredths = ''] = row?.[5]?.split(':') ?? [];
  return timer === keepAliveTimer ? parseInt(hundredths, 16) / 100 : Infinity;
}

/** Sandboxes may have the table without that in it. */
async function startsTimers(): Promise<boolean> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', keepAlive: true, keepAliveInitialDelay: 30_000 });
  try {
    await once(socket, 'connect');
    return (await askedWithinS(socket.localPort ?? 0, port)) <= 30;
  } finally {
    socket.destroy();
    server.close();
  }
}

const portOf = (address = '') => parseInt(address.split(':')[1] ?? '', 16);

test.skipIf(!hasTable)(
  `a silent terminal is asked within a minute whether it is still there, by the system${unlessTable}`,
  async ({ skip }) => {
    if (!(await startsTimers())) skip(`${table} does not list timers`);
    const listener = await openToyListener();
    const { say, socket } = await connectToy(listener);
    say('hello a\n');
    await expect.poll(() => listener.deps.record.ofTerminal('a')?.note).toBe('hello');
    // Two hours unless the program sets another time.
    await expect
      .poll(() => askedWithinS(listener.listener.port, socket.localPort ?? 0))
      .toBeLessThanOrEqual(60);
  },
);
