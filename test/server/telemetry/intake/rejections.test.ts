import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRejections } from '../../../../server/telemetry/intake/rejections.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';

function open() {
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const clock = createFakeClock();
  return { clock, logged, turnedAway: createRejections('teltonika', clock, log) };
}

test('rejected connections are logged ten times a minute at most, then counted', () => {
  const { clock, logged, turnedAway } = open();
  const stranger = () =>
    turnedAway.add('protocol_mismatch', { address: '192.0.2.1', first: Buffer.from('x') });
  for (let at = 0; at < 1_000; at += 1) stranger();
  expect(logged).toHaveLength(10);
  clock.advance(60_000);
  stranger();
  stranger();
  expect(logged).toHaveLength(12);
  expect(logged[10]).toMatchObject({ listener: 'teltonika', not_logged_before: 990 });
  expect(logged[11]).not.toHaveProperty('not_logged_before');
  expect(turnedAway.counts().protocol_mismatch).toBe(1_002);
});

test('rejections that are not logged are counted', () => {
  const { logged, turnedAway } = open();
  turnedAway.add('idle');
  expect(logged).toEqual([]);
  expect(turnedAway.counts()).toMatchObject({ idle: 1, protocol_mismatch: 0 });
});

test.each([
  ['GET / HTTP/1.1\r\nHost: depot', 'HTTP'],
  ['POST /login HTTP/1.1', 'HTTP'],
  ['\x16\x03\x01\x02\x00\x01', 'TLS'],
  ['SSH-2.0-OpenSSH_9', 'SSH'],
  ['GETAWAY', null],
  ['', null],
])('the first bytes %j look like %s', (text, looks_like) => {
  const { logged, turnedAway } = open();
  turnedAway.add('protocol_mismatch', { address: null, first: Buffer.from(text, 'latin1') });
  const first = Buffer.from(text, 'latin1').subarray(0, 32).toString('hex');
  expect(logged).toMatchObject([{ level: 40, reason: 'protocol_mismatch', first, looks_like }]);
});
