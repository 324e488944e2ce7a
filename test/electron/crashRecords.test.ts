import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addCrash,
  crashWords,
  desktopFacts,
  markCrashesSeen,
  readCrashes,
  restartNotice,
  unseenCrashes,
  type CrashRecord,
} from '../../electron/crashRecords.ts';
import { createWords } from '../../electron/language.ts';

const crash: Omit<CrashRecord, 'is_seen'> = {
  at: '2026-11-21T12:00:00.000Z',
  reason: 'killed',
  detail: null,
  ran_s: 60,
  memory: null,
};
const english = createWords(() => 'en');
const failed = (error: unknown) => {
  throw error;
};

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fleetdeck-crashes-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('an end of the program is shown to the operator once', () => {
  addCrash(folder, crash);
  addCrash(folder, { ...crash, reason: 'hung' });
  expect(unseenCrashes(folder).map((it) => it.reason)).toEqual(['killed', 'hung']);
  // A start that ended before it could show them.
  expect(unseenCrashes(folder)).toHaveLength(2);
  markCrashesSeen(folder, failed);
  expect(unseenCrashes(folder)).toEqual([]);
  expect(readCrashes(folder)).toHaveLength(2);
});

it('ends of the program are kept up to fifty, each with a short detail', () => {
  for (let i = 0; i < 60; i++)
    addCrash(folder, { ...crash, ran_s: i, reason: 'error', detail: 'x'.repeat(10_000) });
  const kept = readCrashes(folder);
  expect(kept.map((it) => it.ran_s)).toEqual(Array.from({ length: 50 }, (_, i) => i + 10));
  expect(readFileSync(join(folder, 'crashes.json')).length).toBeLessThan(50_000);
});

it.each(['', '{', '[{"at":"yesterday"}]', 'null'])(
  'a file of ends that reads %j keeps the program from nothing',
  (text) => {
    writeFileSync(join(folder, 'crashes.json'), text);
    expect(unseenCrashes(folder)).toEqual([]);
    addCrash(folder, crash);
    expect(readCrashes(folder)).toHaveLength(1);
  },
);

it('the notice of a restart says the last reason, its time and how often it was', () => {
  const ends = [crash, { ...crash, reason: 'error' as const, detail: 'TypeError: unforeseen' }].map((it) => ({
    ...it,
    is_seen: false,
  }));
  const time = new Date(crash.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  expect(restartNotice(english, ends)?.detail).toBe(
    `Fleetdeck stopped after an unexpected error: TypeError: unforeseen. This was on ${time}. It was the last of 2 such ends. Positions that terminals were acknowledged are stored.`,
  );
  expect(restartNotice(english, [])).toBeNull();
});

it('an end for want of memory says how much was in use', () => {
  const memory = {
    rss_bytes: 1,
    heap_used_bytes: 3_900 * 1_048_576,
    heap_limit_bytes: 4_096 * 1_048_576,
    free_bytes: 1_048_576,
  };
  expect(crashWords(english.say, { reason: 'out_of_memory', detail: null, memory })).toBe(
    'Fleetdeck ran out of memory. It last reported 3900 MB in use of 4096 MB, with 1 MB free on this computer.',
  );
});

it('a problem report has the ends of the program and the last lines of its log, without secrets', () => {
  const settings = { on: true, url: 'https://updates.example/', publicKey: 'AAAA', hour: 3, byItself: false };
  const failed: CrashRecord = {
    ...crash,
    reason: 'error',
    detail: 'refused password=ZQSECRETZQ',
    is_seen: true,
  };
  const line = (msg: string) => JSON.stringify({ level: 40, time: 0, msg });
  const log = [...Array(1_000).fill(line('before')), line('mail of ann@depot.example'), line('last')];
  const { facts, lines } = desktopFacts('1.2.3', [failed], { phase: 'ready', found: '1.3.0', settings }, log);
  expect(facts).toEqual({
    ...{ version: '1.2.3', updates: true, updates_phase: 'ready', updates_found: '1.3.0', crashes: 1 },
  });
  expect(lines).toHaveLength(1_001);
  expect(lines[0]).toContain('"reason":"error"');
  expect(lines.at(-1)).toMatch(/last$/);
  expect(lines.join(' ')).not.toMatch(/ZQSECRETZQ|ann@/);
  expect(lines.join(' ')).toContain('mail of (email)');
});
