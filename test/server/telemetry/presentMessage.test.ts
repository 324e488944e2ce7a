import { expect, test } from 'vitest';
import { intakeMessage } from '../../../server/contract/intake.ts';
import { createMessageRecord } from '../../../server/telemetry/intake/messageLog.ts';
import { presentMessage } from '../../../server/telemetry/intakeRoutes.ts';
import { emptyReport } from '../../../server/telemetry/terminalReport.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

function messageOf(time_ms: number | null, place: { lat: number; lon: number } | null) {
  const record = createMessageRecord(createFakeClock());
  const message = record.open('udp', '127.0.0.1', 'A7', Buffer.of(0, 255));
  message.reports = [{ ...emptyReport, terminal_id: 'A7', time_ms, place }];
  message.decoded = 1;
  return presentMessage(message, { name: 'wialon', transports: ['tcp', 'udp'] });
}

test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, -1e300, null])(
  'a terminal that says it is %d is shown all the same',
  (time_ms) => {
    const shown = messageOf(time_ms, { lat: 956.9, lon: -1_000 });
    expect(intakeMessage.parse(shown)).toMatchObject({
      hex: '00ff',
      transport: 'udp',
      reports: [{ time: null, lat: 956.9, lon: -1_000 }],
    });
  },
);

test('a report of no place has none', () => {
  expect(messageOf(0, null).reports).toMatchObject([
    { time: '1970-01-01T00:00:00.000Z', lat: null, lon: null },
  ]);
});
