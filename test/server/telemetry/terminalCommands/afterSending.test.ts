import { expect, test } from 'vitest';
import type { CommandResult } from '../../../../server/telemetry/intake/terminalLinks.ts';
import { emptyReport, type TerminalReport } from '../../../../server/telemetry/terminalReport.ts';
import { afterSending, onItsWay } from '../../../../server/telemetry/terminalCommands/commandQueue.ts';
import { commandRow } from './commandRow.ts';

const now = Date.UTC(2026, 10, 21, 20, 40);
const sent = onItsWay(commandRow(), 'jt808', now - 2_000);
const at: TerminalReport = {
  ...emptyReport,
  terminal_id: '1',
  time_ms: now,
  place: { lat: 48.1234567, lon: -11.5 },
};
const position = (report: TerminalReport | null): CommandResult => ({ outcome: 'position', report });

test.each<[CommandResult, string | null]>([
  [{ outcome: 'responded', text: 'RTC:2026' }, 'RTC:2026'],
  [{ outcome: 'responded', text: null }, null],
  [position(at), '2026-11-21T20:40:00Z 48.123457, -11.500000'],
  [position({ ...at, speed_kmh: 43.5 }), '2026-11-21T20:40:00Z 48.123457, -11.500000, 43.5 km/h'],
  [position({ ...at, speed_kmh: 0 }), '2026-11-21T20:40:00Z 48.123457, -11.500000, 0 km/h'],
  [position({ ...at, valid: false }), 'no fix'],
  [position({ ...at, place: null }), 'no fix'],
  [position({ ...at, time_ms: null }), 'no fix'],
  [position(null), 'an answer that is no position'],
])('%j is an answer', (result, response) => {
  expect(afterSending(sent, result, now, 0)).toEqual({
    ...sent,
    status: 'responded',
    response,
    completed_ms: now,
  });
});

test('the clock of a terminal that is ahead is put right in what it says', () => {
  expect(afterSending(sent, position(at), now, 3_600).response).toContain('2026-11-21T19:40:00Z');
});

test.each<[CommandResult, string, RegExp]>([
  [{ outcome: 'refused', detail: 'It failed.' }, 'terminal_refused', /^It failed\.$/],
  [{ outcome: 'unsupported', detail: 'It cannot.' }, 'not_supported', /^It cannot\.$/],
  [{ outcome: 'silent' }, 'no_response', /in time.* not known/],
  [{ outcome: 'ended' }, 'no_response', /connection ended.* not known/],
])('%j is a failure', (result, code, detail) => {
  expect(afterSending(sent, result, now, 0)).toEqual({
    ...sent,
    status: 'failed',
    error: { code, detail: expect.stringMatching(detail) as string },
    completed_ms: now,
  });
});

test('a command that was not written waits as before', () => {
  expect(afterSending(sent, { outcome: 'not_written' }, now, 0)).toEqual(commandRow());
});
