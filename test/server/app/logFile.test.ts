import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRecent, openLogFile } from '../../../server/app/logFile.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-log-'));
  path = join(folder, 'logs', 'fleetdeck.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const read = (name: string) => readFileSync(join(folder, 'logs', name), 'utf8');
const names = () => readdirSync(join(folder, 'logs')).sort();

describe('the log', () => {
  it('the log has each line as soon as it is written, for its owner alone', () => {
    const log = openLogFile(path);
    log.write('one\n');
    expect(read('fleetdeck.log')).toBe('one\n');
    expect(log.folder).toBe(join(folder, 'logs'));
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('the log goes on where the last start ended', () => {
    openLogFile(path).write('one\n');
    openLogFile(path).write('two\n');
    expect(read('fleetdeck.log')).toBe('one\ntwo\n');
  });

  it('the log starts a new file when it has grown large, keeps as many before it as it may, and no more', () => {
    const log = openLogFile(path, { largest_bytes: 10, count: 3 });
    for (const line of ['first.....\n', 'second....\n', 'third.....\n', 'fourth....\n', 'fifth\n'])
      log.write(line);
    expect(names()).toEqual(['fleetdeck.log', 'fleetdeck.log.1', 'fleetdeck.log.2']);
    expect(['fleetdeck.log', 'fleetdeck.log.1', 'fleetdeck.log.2'].map(read)).toEqual([
      'fifth\n',
      'fourth....\n',
      'third.....\n',
    ]);
  });

  it('the log counts what an earlier start has written', () => {
    openLogFile(path, { largest_bytes: 10 }).write('0123456789\n');
    openLogFile(path, { largest_bytes: 10 }).write('again\n');
    expect(read('fleetdeck.log')).toBe('again\n');
    expect(read('fleetdeck.log.1')).toBe('0123456789\n');
  });

  it('the log stays bounded after 10,000 entries, however long they are', () => {
    const log = openLogFile(path, { largest_bytes: 10_000, count: 2 });
    for (let at = 0; at < 10_000; at += 1) log.write(`${'x'.repeat(at === 5_000 ? 10_000_000 : 100)}\n`);
    expect(names()).toEqual(['fleetdeck.log', 'fleetdeck.log.1']);
    for (const name of names()) expect(read(name).length).toBeLessThan(10_000 + 65_537);
  });

  it('the log goes on in the same file, bounded, when it cannot be moved', () => {
    const log = openLogFile(path, { largest_bytes: 10, count: 3 });
    // A folder with something in it takes no file's place.
    mkdirSync(`${path}.1`);
    mkdirSync(`${path}.2`);
    mkdirSync(join(`${path}.2`, 'x'));
    for (let at = 0; at < 100; at += 1) log.write(`line ${at} .\n`);
    expect(read('fleetdeck.log').endsWith('line 99 .\n')).toBe(true);
    expect(read('fleetdeck.log').length).toBeLessThanOrEqual(60);
  });

  it('the last lines of a log are those of its newest files, also of an earlier start', () => {
    const log = openLogFile(path, { largest_bytes: 20, count: 3 });
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) log.write(`${line} ....\n`);
    expect(names()).toContain('fleetdeck.log.1');
    const lines = openLogFile(path, { largest_bytes: 20, count: 3 }).recent();
    expect(lines.at(-1)).toBe('seven ....');
    expect(lines).toEqual(
      ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((it) => `${it} ....`).slice(-lines.length),
    );
    expect(lines.length).toBeGreaterThan(2);
  });

  it('the last lines of a log have none missing between them, whatever letters are in them', () => {
    const log = openLogFile(path, { largest_bytes: 300_000, count: 2 });
    const lines = Array.from({ length: 2_800 }, (_, at) => `${at} ${'\u00e4'.repeat(100)}`);
    for (const line of lines) log.write(`${line}\n`);
    expect(names()).toContain('fleetdeck.log.1');
    expect(statSync(path).size).toBeGreaterThan(256 * 1024);
    const recent = log.recent();
    expect(recent.length).toBeGreaterThan(1_000);
    expect(recent).toEqual(lines.slice(-recent.length));
  });

  it('the last lines of a log that is written elsewhere are kept in 256 KiB', () => {
    const passed: string[] = [];
    const log = keepRecent({ write: (text) => passed.push(text) });
    const line = `${'x'.repeat(1_000)}\n`;
    for (let count = 0; count < 1_000; count++) log.write(line);
    log.write('last\n');
    expect(passed).toHaveLength(1_001);
    expect(log.recent().at(-1)).toBe('last');
    expect(log.recent().join('\n').length).toBeLessThanOrEqual(256 * 1024);
    expect(log.recent().length).toBeGreaterThan(250);
    // A line that is cut might begin within a secret.
    expect(new Set(log.recent())).toEqual(new Set(['x'.repeat(1_000), 'last']));
  });
});
