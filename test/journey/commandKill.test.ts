import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { terminalCommandRoutes, type TerminalCommand } from '../../server/contract/terminalCommands.ts';
import { connectFakeTeltonika } from '../support/fakeTeltonika.ts';
import { commandAnswer, readCommand } from '../support/teltonikaCommands.ts';
import { startKillableHost, type KillableHost } from './killableHost.ts';

const kills = 5;
const imeis = Array.from({ length: 4 }, (_, at) => `35630704244101${at}`);

/** What the terminals have read, command by command; each comes by one connection after the other. */
function createTerminals(onRead: () => void) {
  const read = new Map<string, number>();

  /** Until the connection ends. */
  async function serve(port: number, imei: string): Promise<void> {
    const terminal = await connectFakeTeltonika({ port, imei });
    if ((await terminal.logIn()) !== 1) throw new Error(`${imei} was refused`);
    for (;;) {
      const text = await readCommand(terminal);
      read.set(text, (read.get(text) ?? 0) + 1);
      onRead();
      terminal.write(commandAnswer(`done ${text}`));
    }
  }

  return {
    read,
    /** Resolves when all connections are over. */
    comeTo: (port: number) => Promise.allSettled(imeis.map((imei) => serve(port, imei))),
  };
}

/** Gives a vehicle one command after the other until it is stopped; one whose outcome is unknown is issued again. */
async function giveOn(
  host: KillableHost,
  imei: string,
  given: string[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const text = `${imei} ${given.length}`;
    const asked = {
      params: { vehicle: imei },
      body: { kind: 'text', text, expires_in_s: 86_400 } as const,
      headers: { 'Idempotency-Key': randomUUID() },
    };
    let outcome: string | number | null = null;
    while (outcome !== 201) {
      const dealer = await host.dealer();
      // The host may be killed in the middle of it.
      outcome = await dealer.outcome(terminalCommandRoutes.send, asked).catch(() => null);
      if (outcome !== null) expect(outcome).toBe(201);
    }
    given.push(text);
  }
}

async function commandsOf(host: KillableHost, imei: string): Promise<TerminalCommand[]> {
  const dealer = await host.dealer();
  const all: TerminalCommand[] = [];
  for (let cursor: string | undefined; ;) {
    const params = { vehicle: imei };
    const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const { items, next_cursor } = await dealer.ask(terminalCommandRoutes.list, { params, query });
    all.push(...items);
    if (next_cursor === null) return all;
    cursor = next_cursor;
  }
}

test('kills neither lose nor double a command: no terminal reads one twice, and each has an end', async () => {
  const host = await startKillableHost(imeis);
  let left = 0;
  let enough = (): void => undefined;
  const terminals = createTerminals(() => {
    left -= 1;
    if (left === 0) enough();
  });
  /** Resolves when the terminals have read so many more. */
  const readMore = (count: number) =>
    new Promise<void>((resolve) => {
      left = count;
      enough = resolve;
    });

  const given = imeis.map((): string[] => []);
  let isOver = false;
  const giving = imeis.map((imei, at) => giveOn(host, imei, given[at] ?? [], () => isOver));
  for (let killed = 0; killed < kills; killed++) {
    const { teltonikaPort } = await host.ready();
    const some = readMore(1 + Math.floor(Math.random() * 30));
    const connections = terminals.comeTo(teltonikaPort);
    await Promise.race([some, ...giving]);
    await host.kill();
    await connections;
    host.restart();
  }
  const { teltonikaPort } = await host.ready();
  const last = readMore(20);
  const connections = terminals.comeTo(teltonikaPort);
  await Promise.race([last, ...giving]);
  isOver = true;
  await Promise.all(giving);

  const isOpen = ({ status }: TerminalCommand) => status === 'queued' || status === 'sent';
  for (const [at, imei] of imeis.entries()) {
    const open = async () => (await commandsOf(host, imei)).filter(isOpen);
    await expect.poll(open, { timeout: 60_000 }).toEqual([]);
    const commands = await commandsOf(host, imei);
    expect(commands.map((it) => it.text).toReversed()).toEqual(given[at]);
    for (const { text, status, response, error } of commands) {
      const reads = terminals.read.get(text ?? '') ?? 0;
      if (status === 'responded') expect([reads, response]).toEqual([1, `done ${text}`]);
      else expect([status, error?.code, reads <= 1]).toEqual(['failed', 'no_response', true]);
    }
    // One at a time is under way when the host is killed.
    expect(commands.filter((it) => it.status === 'failed').length).toBeLessThanOrEqual(kills);
  }
  await host.end();
  await connections;
}, 240_000);
