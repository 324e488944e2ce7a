import { describe, expect, it } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { admit, type IncomingReport } from '../../../server/telemetry/admission.ts';
import { loadLiveFleet } from '../../../server/telemetry/liveFleet.ts';
import { unreadableReports, type TerminalReport } from '../../../server/telemetry/terminalReport.ts';
import { initialVehicleState } from '../../../server/telemetry/vehicleState.ts';
import { positionRow, report, settings, vehicleRecord } from './positions.ts';

const now_ms = Date.UTC(2026, 10, 21, 4, 43);
const van = vehicleRecord({ vehicle_id: 'van', terminal_id: '100' });
const car = vehicleRecord({ vehicle_id: 'car', terminal_id: '200', clock_offset_s: 3_600 });

/** A fleet whose store holds these positions. */
function depotWith(...stored: PositionRow[]) {
  const fleet = loadLiveFleet([]);
  for (const row of [...stored].sort((a, b) => a.time_ms - b.time_ms)) {
    const state = { ...initialVehicleState, newest: row, last_stored_ms: row.time_ms };
    fleet.apply(new Map([[row.vehicle_id, state]]));
  }
  const asked: number[][] = [];
  const run = (...reports: TerminalReport[]) => {
    const arrivals: IncomingReport[] = reports.map((it) => ({
      report: it,
      origin: { protocol: 'osmand', address: null },
      received_ms: now_ms,
    }));
    return admit(arrivals, {
      vehicleOf: (terminal) => [van, car].find((it) => it.terminal_id === terminal),
      fleet,
      settings,
      positionsAt: (keys) => {
        asked.push(keys.map((it) => it.time_ms));
        return Promise.resolve(
          stored.filter((row) =>
            keys.some((it) => it.vehicle_id === row.vehicle_id && it.time_ms === row.time_ms),
          ),
        );
      },
    });
  };
  return { asked, run };
}

const at = (ago_s: number, more: Partial<TerminalReport> = {}) =>
  report({ time_ms: now_ms - ago_s * 1_000, ...more });
const stored = (ago_s: number, more: Partial<PositionRow> = {}) =>
  positionRow({ vehicle_id: 'van', time_ms: now_ms - ago_s * 1_000, ...more });

describe('admission', () => {
  it('admission stores what is new, with the vehicle, the times and all that was measured', async () => {
    const { run } = depotWith();
    const { outcomes, admitted, rejected, unknown } = await run(
      at(5, {
        speed_kmh: 50,
        course_deg: 90,
        ignition: true,
        alarms: ['tow', 'sos', 'tow'],
        attributes: { listener: 1 },
      }),
    );
    expect(outcomes).toEqual([{ status: 'stored' }]);
    expect([rejected, unknown]).toEqual([[], []]);
    expect(admitted).toEqual([
      {
        vehicle: van,
        received_ms: now_ms,
        outcome: 'stored',
        newAlarms: ['sos', 'tow'],
        row: positionRow({
          vehicle_id: 'van',
          time_ms: now_ms - 5_000,
          received_ms: now_ms,
          speed_kmh: 50,
          course_deg: 90,
          ignition: true,
          alarms: ['sos', 'tow'],
          attributes: { listener: 1 },
        }),
      },
    ]);
  });

  it('admission knows no vehicle of an unknown terminal, and admits what came with it', async () => {
    const { run } = depotWith();
    const { outcomes, admitted, unknown } = await run(at(5, { terminal_id: '999' }), at(5));
    expect(outcomes).toEqual([{ status: 'unknown' }, { status: 'stored' }]);
    expect(unknown.map((it) => it.report.terminal_id)).toEqual(['999']);
    expect(admitted).toHaveLength(1);
  });

  it('admission takes the time of receipt where the terminal says none, and sets its clock right', async () => {
    const { run } = depotWith();
    const { admitted } = await run(at(0, { time_ms: null }), at(-3_600, { terminal_id: '200' }));
    expect(admitted.map((it) => it.row.time_ms)).toEqual([now_ms, now_ms]);
  });

  it('admission refuses for good what is over ten minutes in the future, and writes down what came', async () => {
    const { run } = depotWith();
    const { outcomes, rejected, admitted } = await run(at(-600), at(-601));
    expect(outcomes[0]).toEqual({ status: 'stored' });
    expect(outcomes[1]).toMatchObject({ status: 'rejected', code: 'time_in_future' });
    expect(rejected).toMatchObject([
      { terminal_id: '100', received_ms: now_ms, code: 'time_in_future', protocol: 'osmand' },
    ]);
    expect(JSON.parse(rejected[0]?.raw ?? '')).toMatchObject({
      terminal_id: '100',
      time_ms: now_ms + 601_000,
    });
    expect(admitted).toHaveLength(1);
  });

  it('admission refuses for good what came whole and cannot be read, and writes down why and what came', async () => {
    const { run } = depotWith();
    const hex = 'ab'.repeat(10_000);
    const why = 'it ends too early';
    const { outcomes, rejected, admitted } = await run(
      ...unreadableReports('100', why, { hex: 'ab' }),
      ...unreadableReports('100', why, { hex }),
    );
    const detail = `It cannot be read: ${why}.`;
    expect(outcomes).toHaveLength(7);
    expect(outcomes[0]).toEqual({ status: 'rejected', code: 'undecodable', detail });
    expect(rejected[0]).toMatchObject({ terminal_id: '100', detail });
    expect(rejected[6]).toMatchObject({ terminal_id: '100', detail: `It cannot be read: ${why} (6 of 6).` });
    const came = rejected.map(({ raw }) => (JSON.parse(raw) as TerminalReport).attributes['hex']);
    expect(came[0]).toBe('ab');
    expect(came.slice(1).join('')).toBe(hex);
    const text = `${'"'.repeat(5_000)}${'\u0001'.repeat(5_000)}${'a'.repeat(5_000)}`;
    const quoted = (await run(...unreadableReports('100', why, { text }))).rejected;
    expect(quoted.map(({ raw }) => (JSON.parse(raw) as TerminalReport).attributes['text']).join('')).toBe(
      text,
    );
    expect(admitted).toEqual([]);
  });

  it('admission refuses for good a coordinate that is no place on earth', async () => {
    const { run } = depotWith();
    const places = [
      { lat: 90.01, lon: 0 },
      { lat: 0, lon: -180.01 },
      { lat: Number.NaN, lon: 0 },
      { lat: 1, lon: Number.POSITIVE_INFINITY },
    ];
    const { outcomes, rejected, admitted } = await run(...places.map((place, i) => at(i, { place })));
    expect(outcomes.map((it) => 'code' in it && it.code)).toEqual(places.map(() => 'invalid_coordinates'));
    expect(rejected).toHaveLength(4);
    expect(admitted).toEqual([]);
    expect((await run(at(9, { place: { lat: -90, lon: 180 } }))).outcomes).toEqual([{ status: 'stored' }]);
  });

  it('admission takes a speed beyond all vehicles for none', async () => {
    const { admitted } = await depotWith().run(at(5, { speed_kmh: 1_001 }), at(4, { speed_kmh: 1_000 }));
    expect(admitted.map((it) => it.row.speed_kmh)).toEqual([null, 1_000]);
  });

  it('admission keeps as status, where the vehicle was last, what has no place or says 0,0', async () => {
    const { run } = depotWith(stored(60, { lat: 48, lon: 11 }));
    const { outcomes, admitted } = await run(
      at(5, { place: null, battery_pct: 80 }),
      at(4, { place: { lat: 0, lon: 0 } }),
      at(3, { place: { lat: 0, lon: 11 } }),
      at(2, { valid: false }),
    );
    expect(outcomes.map((it) => it.status)).toEqual(['stored', 'stored', 'stored', 'stored']);
    expect(admitted.map(({ row }) => [row.lat, row.lon, row.valid])).toEqual([
      [48, 11, false],
      [48, 11, false],
      [0, 11, true],
      [52.5, 13.4, false],
    ]);
    expect(admitted[0]?.row.battery_pct).toBe(80);
    const first = await depotWith().run(at(5, { place: null }));
    expect(first.admitted[0]?.row).toMatchObject({ lat: 0, lon: 0, valid: false });
  });

  describe('of what was there before', () => {
    it('admission of what was there before recognises a duplicate in the store, and emits nothing again for an alarm', async () => {
      const { run } = depotWith(stored(60, { alarms: ['sos'] }));
      const { outcomes, admitted } = await run(at(60, { alarms: ['sos'] }), at(60));
      expect(outcomes).toEqual([{ status: 'duplicate' }, { status: 'duplicate' }]);
      expect(admitted).toEqual([]);
    });

    it('admission of what was there before knows a duplicate in the same batch', async () => {
      const { outcomes, admitted } = await depotWith().run(
        at(5, { alarms: ['sos'] }),
        at(5, { alarms: ['sos'] }),
        at(5),
      );
      expect(outcomes.map((it) => it.status)).toEqual(['stored', 'duplicate', 'duplicate']);
      expect(admitted).toMatchObject([{ outcome: 'stored', newAlarms: ['sos'] }]);
    });

    it('admission of what was there before merges other content at the same vehicle and time, and emits the alarms that are new in it', async () => {
      const { run } = depotWith(stored(60, { alarms: ['tow'], speed_kmh: 50 }));
      const { outcomes, admitted } = await run(
        at(60, { alarms: ['sos', 'tow'] }),
        at(60, { battery_pct: 9 }),
      );
      expect(outcomes).toEqual([{ status: 'merged' }, { status: 'merged' }]);
      expect(admitted).toMatchObject([
        {
          outcome: 'merged',
          newAlarms: ['sos'],
          row: { speed_kmh: 50, battery_pct: 9, alarms: ['sos', 'tow'] },
        },
      ]);
    });

    it('admission of what was there before merges within a batch what then is stored once', async () => {
      const { outcomes, admitted } = await depotWith().run(
        at(5, { alarms: ['tow'] }),
        at(5, { alarms: ['sos'] }),
      );
      expect(outcomes).toEqual([{ status: 'stored' }, { status: 'merged' }]);
      expect(admitted).toMatchObject([
        { outcome: 'stored', newAlarms: ['tow', 'sos'], row: { alarms: ['sos', 'tow'] } },
      ]);
    });

    it('admission of what was there before knows a repeated message without a place, wherever the vehicle went since', async () => {
      const { run } = depotWith(
        stored(60, { lat: 48, lon: 11, valid: false }),
        stored(30, { lat: 49, lon: 12 }),
      );
      const { outcomes } = await run(at(60, { place: null }), at(60, { place: { lat: 0, lon: 0 } }));
      expect(outcomes).toEqual([{ status: 'duplicate' }, { status: 'duplicate' }]);
    });

    it('admission of what was there before gives a place to what was stored without one', async () => {
      const { run } = depotWith(stored(60, { lat: 0, lon: 0, valid: false, ignition: true }));
      const { outcomes, admitted } = await run(at(60));
      expect(outcomes).toEqual([{ status: 'merged' }]);
      expect(admitted[0]?.row).toMatchObject({ lat: 52.5, lon: 13.4, valid: true, ignition: true });
    });

    it('admission of what was there before looks into the store only for what is not newer than all that is there', async () => {
      const { run, asked } = depotWith(stored(60));
      await run(at(59), at(60), at(61), at(5, { terminal_id: '200' }));
      expect(asked).toEqual([[now_ms - 60_000, now_ms - 61_000]]);
      await run(at(3));
      expect(asked).toHaveLength(1);
    });
  });

  it('admission hands on each vehicle’s positions in order of time, and the outcomes in order of arrival', async () => {
    const { run } = depotWith(stored(20));
    const { outcomes, admitted } = await run(
      at(5),
      at(3_604, { terminal_id: '200', time_ms: now_ms + 3_600_000 - 4_000 }),
      at(20),
      at(30),
      at(5, { terminal_id: 'none' }),
      at(9),
    );
    expect(outcomes.map((it) => it.status)).toEqual([
      'stored',
      'stored',
      'duplicate',
      'stored',
      'unknown',
      'stored',
    ]);
    expect(admitted.map(({ row }) => [row.vehicle_id, (now_ms - row.time_ms) / 1_000])).toEqual([
      ['van', 30],
      ['van', 9],
      ['van', 5],
      ['car', 4],
    ]);
  });
});
