import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { watchHost, type HostWatchDeps } from '../../../server/app/watchHost.ts';
import { causeOf } from '../../../server/contract/causeTexts.ts';
import { settingsFields } from '../../../server/contract/settings.ts';
import { createHealth } from '../../../server/settings/health.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function watched(overrides: Partial<HostWatchDeps> = {}) {
  const clock = createFakeClock();
  let set_ms = 0;
  const health = createHealth(clock);
  const watch = watchHost({
    health,
    store: { probe: () => Promise.resolve() },
    space: () => Promise.resolve({ free: 500e9, total: 1_000e9 }),
    settings: () => settingsFields.parse({}),
    intakeFault: () => null,
    documentFault: () => null,
    restored: () => [],
    channelFaults: () => [],
    unreadableSecrets: () => [],
    earlierEnd: null,
    onClockSet: () => undefined,
    clock: { ...clock, now: () => clock.now() + set_ms },
    log: pino({ level: 'silent' }),
    ...overrides,
  });
  onTestFinished(() => watch.stop());
  return { clock, health, look: () => watch.look(), setClock: (by_ms: number) => (set_ms += by_ms) };
}

it('an earlier run that ended unexpectedly is reported for an hour', () => {
  const { clock, health } = watched({ earlierEnd: 'It hung.' });
  expect(health.troubles()).toMatchObject([{ code: 'unexpected_restart', detail: 'It hung.' }]);
  clock.advance(3_599_000);
  expect(health.has('unexpected_restart')).toBe(true);
});

it('a clock that was set is reported for an hour, and a correction of some seconds is not', () => {
  const { clock, health, look, setClock } = watched();
  setClock(20_000);
  look();
  expect(health.troubles()).toEqual([]);
  setClock(-7_200_000);
  look();
  expect(health.troubles()).toMatchObject([
    { code: 'clock_jump', detail: 'The clock of this machine was set back by 7,200 s.' },
  ]);
  clock.advance(3_599_000);
  look();
  expect(health.has('clock_jump')).toBe(true);
  clock.advance(1_000);
  look();
  expect(health.has('clock_jump')).toBe(false);
});

it('a sleep of the machine is no clock that was set', () => {
  const { clock, health, look } = watched();
  clock.sleep(8 * 3_600_000);
  look();
  expect(health.troubles()).toEqual([]);
});

it('a clock that is set again is reported as it was set the last time', () => {
  const { health, look, setClock } = watched();
  setClock(60_000);
  look();
  setClock(-3_600_000);
  look();
  expect(health.troubles()[0]?.detail).toContain('back by 3,600 s');
});

it('each part that says why it does not work is named, the worst first', () => {
  const { health } = watched({
    intakeFault: () => [
      causeOf('listener.shut', { name: 'wialon' }),
      causeOf('listener.port_in_use', { port: ':5031' }),
    ],
    documentFault: () => 'the file of the settings cannot be written',
    restored: () => ['users'],
    unreadableSecrets: () => ['the password of the mail server', '2 passwords of cameras'],
    channelFaults: () => [{ channel: 'email', failures: 3, detail: 'connection refused' }],
  });
  expect(health.status()).toBe('degraded');
  expect(health.troubles().map(({ code, detail }) => [code, detail])).toEqual([
    ['document_failed', 'the file of the settings cannot be written'],
    ['restored_from_backup', 'Read from a backup, and not confirmed yet: users.'],
    [
      'secrets_unreadable',
      'Encrypted for another user or computer, and to be entered again: the password of the mail server, 2 passwords of cameras.',
    ],
    ['intake_stopped', 'wialon is shut. The port :5031 is in use by another program.'],
    ['channel_failing', 'Email: the last 3 messages were not delivered: connection refused'],
  ]);
  health.set('store_failed', 'the writer has died');
  expect(health.status()).toBe('failing');
  expect(health.troubles()[0]?.code).toBe('store_failed');
});

it('a trouble keeps its beginning while its words change, and listeners hear of changes alone', () => {
  const { clock, health } = watched();
  let heard = 0;
  health.onChange(() => (heard += 1));
  const since_ms = clock.now();
  health.set('disk_low', '5.0 GB are free');
  clock.advance(1_000);
  health.set('disk_low', '5.0 GB are free');
  health.set('disk_low', '4.9 GB are free');
  expect(heard).toBe(2);
  expect(health.troubles()).toEqual([{ code: 'disk_low', since_ms, detail: '4.9 GB are free' }]);
});
