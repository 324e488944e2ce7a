import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogFile } from '../../electron/logFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const read = (name: string) => readFileSync(join(folder, 'logs', name), 'utf8');

describe('the log', () => {
  it('the log has each line as soon as it is written', () => {
    const log = openLogFile(join(folder, 'logs'));
    log.write('one\n');
    expect(read('fleetdeck.log')).toBe('one\n');
  });

  it('the log goes on where the last start ended', () => {
    openLogFile(join(folder, 'logs')).write('one\n');
    openLogFile(join(folder, 'logs')).write('two\n');
    expect(read('fleetdeck.log')).toBe('one\ntwo\n');
  });

  it('the log starts a new file when it has grown large, keeps the one before, and no more', () => {
    const log = openLogFile(join(folder, 'logs'), 10);
    for (const line of ['0123456789\n', 'second....\n', 'third\n']) log.write(line);
    expect(read('fleetdeck.old.log')).toBe('second....\n');
    expect(read('fleetdeck.log')).toBe('third\n');
    expect(readdirSync(join(folder, 'logs'))).toHaveLength(2);
  });

  it('the log counts what an earlier start has written', () => {
    openLogFile(join(folder, 'logs'), 10).write('0123456789\n');
    openLogFile(join(folder, 'logs'), 10).write('again\n');
    expect(read('fleetdeck.log')).toBe('again\n');
  });
});
