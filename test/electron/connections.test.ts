import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConnections, type ConnectionDeps } from '../../electron/connections.ts';
import { isOwn } from '../../electron/security.ts';

const OWN = 'http://127.0.0.1:8471';
const FINGERPRINT = 'AB:'.repeat(31) + 'AB';
const OTHER = 'CD:'.repeat(31) + 'CD';
const NORTH = { name: 'North', url: 'https://north.example:8471', fingerprint: FINGERPRINT, insecure: false };
const SOUTH = { name: 'South', url: 'https://south.example', fingerprint: null, insecure: false };

function setUp(options: { kept?: unknown; taken?: readonly number[] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fleetdeck-connections-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'connections.json');
  if (options.kept !== undefined) writeFileSync(file, JSON.stringify(options.kept));
  const started: { port: number; fingerprint: string | null }[] = [];
  const closed: string[] = [];
  let looks = 0;
  const warn = vi.fn<ConnectionDeps['warn']>();
  const open = () =>
    createConnections({
      file,
      start: ({ id, fingerprint }, port) => {
        started.push({ port, fingerprint });
        return Promise.resolve({
          url: `http://127.0.0.1:${port}`,
          close: () => Promise.resolve(void closed.push(id)),
        });
      },
      look: () => Promise.resolve([{ name: `look ${++looks}`, url: NORTH.url }]),
      probe: ({ url }) => Promise.resolve({ state: 'insecure', url }),
      isPortFree: (port) => Promise.resolve(!(options.taken ?? []).includes(port)),
      warn,
    });
  const connections = open();
  connections.setOwnUrl(OWN);
  return { connections, open, started, closed, warn, kept: () => readFileSync(file, 'utf8') };
}

describe('the connections of this computer', () => {
  it('the connections of this computer are found again, each at the port that it had', async () => {
    const { connections, open } = setUp();
    const north = await connections.add(NORTH);
    const south = await connections.add(SOUTH);
    expect([await connections.open(north.id), await connections.open(south.id)]).toEqual([
      'http://127.0.0.1:8500',
      'http://127.0.0.1:8501',
    ]);
    await connections.remove(north.id, OWN);
    const again = open();
    expect(again.list(OWN).items).toEqual([south]);
    // It was the last one open, and is where this start begins.
    expect(await again.startUrl()).toBe('http://127.0.0.1:8501');
    expect((await again.add(NORTH)).id).not.toBe(north.id);
  });

  it('the connections of this computer hold no passwords, and no address with one', async () => {
    const { connections, kept } = setUp();
    await connections.add({ ...NORTH, url: 'https://me:secret@north.example:8471/path?x#y' });
    expect(JSON.parse(kept())).toMatchObject({ connections: [NORTH] });
    expect(kept()).not.toContain('secret');
  });

  it('the connections of this computer have one for each host, which takes a new certificate at its old place', async () => {
    const { connections, started, closed } = setUp();
    const before = await connections.add(NORTH);
    await connections.open(before.id);
    const after = await connections.add({ ...NORTH, fingerprint: OTHER });
    expect(after).toEqual({ ...before, fingerprint: OTHER });
    expect(closed).toEqual([before.id]);
    // The page that asked is of that console.
    expect(connections.isOurs('http://127.0.0.1:8500')).toBe(true);
    await connections.open(after.id);
    expect(started).toEqual([
      { port: 8500, fingerprint: FINGERPRINT },
      { port: 8500, fingerprint: OTHER },
    ]);
  });

  it('the connections of this computer take another port while a program holds theirs', async () => {
    const { connections, warn } = setUp({ taken: [8500] });
    await connections.add(SOUTH);
    const { id } = await connections.add(NORTH);
    const [south] = connections.list(OWN).items;
    expect(await connections.open(south?.id ?? '')).toBe('http://127.0.0.1:8502');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('port 8500 is in use'));
    expect(await connections.open(id)).toBe('http://127.0.0.1:8501');
  });

  it('the connections of this computer are ours by local origins alone, and only while they are open', async () => {
    const { connections } = setUp();
    const { id } = await connections.add(NORTH);
    const isOurs = (url: string) => isOwn(url, connections.isOurs);
    expect([isOurs(OWN), isOurs('http://127.0.0.1:8500/')]).toEqual([true, false]);
    const [first, second] = await Promise.all([connections.open(id), connections.open(id)]);
    expect([first, isOurs(`${first}/#/live`)]).toEqual([second, true]);
    for (const url of [
      NORTH.url,
      'http://localhost:8500/',
      'https://127.0.0.1:8500/',
      'http://127.0.0.1:8501/',
    ])
      expect([url, isOurs(url)]).toEqual([url, false]);
    expect(connections.isOwnOrigin('http://127.0.0.1:8500')).toBe(false);
    expect(connections.list('http://127.0.0.1:8500').current).toBe(id);
    expect(connections.list(OWN).current).toBeNull();
    await expect(connections.remove(id, 'http://127.0.0.1:8500')).rejects.toThrow('Connect to another host');
    await connections.remove(id, OWN);
    expect(isOurs('http://127.0.0.1:8500/')).toBe(false);
  });

  it('the connections of this computer can stand in for its own depot, as long as there is one', async () => {
    const { connections, open } = setUp();
    expect(() => connections.setStartsOwnDepot(false, OWN)).toThrow('needs a connection');
    const { id } = await connections.add(NORTH);
    connections.setStartsOwnDepot(false, OWN);
    const again = open();
    expect(again.startsOwnDepot()).toBe(false);
    await expect(again.open(null)).rejects.toThrow('not running');
    // Never opened before.
    expect(await again.startUrl()).toBe('http://127.0.0.1:8500');
    expect(again.list(OWN).ownDepot).toEqual({ runs: false, starts: false });
    await again.remove(id, OWN);
    expect(again.startsOwnDepot()).toBe(true);
  });

  it('the connections of this computer are 32 at most', async () => {
    const { connections } = setUp();
    for (let at = 0; at < 32; at++) await connections.add({ ...SOUTH, url: `https://host${at}.example` });
    await expect(connections.add(NORTH)).rejects.toThrow('32 connections already');
    connections.rename(connections.list(OWN).items[0]?.id ?? '', 'Harbour', OWN);
    expect(connections.list(OWN).items[0]?.name).toBe('Harbour');
  });

  it.each([[{ connections: [{ id: '../x' }] }], ['text'], [{ connections: [], last: 1 }]])(
    'the connections of this computer start empty over the file %j, and say so',
    async (kept) => {
      const { connections, warn } = setUp({ kept });
      expect(connections.list(OWN).items).toEqual([]);
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('could not be read'));
      expect(await connections.startUrl()).toBe(OWN);
    },
  );

  it('the connections of this computer look for hosts once for all who ask at once', async () => {
    const { connections } = setUp();
    const both = await Promise.all([connections.look(), connections.look()]);
    expect(both.flat().map(({ name }) => name)).toEqual(['look 1', 'look 1']);
    expect(await connections.look()).toMatchObject([{ name: 'look 2' }]);
  });

  it('the connections of this computer are tried again after one could not start', async () => {
    const { connections } = setUp({ taken: Array.from({ length: 64 }, (_, at) => 8500 + at) });
    const { id } = await connections.add(NORTH);
    await expect(connections.open(id)).rejects.toThrow('No port');
    await expect(connections.open(id)).rejects.toThrow('No port');
    await connections.close();
  });
});
