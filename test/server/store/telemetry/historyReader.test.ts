import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { openHistoryReader } from '../../../../server/store/telemetry/historyReader.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { batch, morning, position } from './sampleRows.ts';
import { openSampleStore } from './sampleStore.ts';

async function written(rows: ReturnType<typeof position>[]) {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  await store.commit(batch({ positions: rows }));
  const reader = openHistoryReader(join(folder, 'telemetry.db'));
  onTestFinished(() => reader.close());
  return { store, reader };
}

const full = position({
  time_ms: morning + 1,
  altitude_m: 12.5,
  speed_kmh: 50,
  course_deg: 90,
  accuracy_m: 3,
  satellites: 9,
  hdop: 0.9,
  ignition: false,
  odometer_m: 1_000,
  battery_pct: 80,
  alarms: ['sos'],
  attributes: { listener: true },
});

describe('a reader of the past', () => {
  it('a reader of the past reads the track of one vehicle in order of time, both ends included', async () => {
    const rows = [position(), full, position({ time_ms: morning + 2, valid: false })];
    const { reader } = await written([...rows, position({ vehicle_id: 'bus' })]);
    expect([...reader.track('van', morning, morning + 2)]).toEqual(rows);
    expect([...reader.track('van', morning + 1, morning + 1)]).toEqual([full]);
    expect([...reader.track('nobody', 0, morning * 2)]).toEqual([]);
  });

  it('a reader of the past reads on over its slices', async () => {
    const rows = Array.from({ length: 4_500 }, (_, at) => position({ time_ms: morning + at }));
    const { reader } = await written(rows);
    const times = [...reader.track('van', 0, morning * 2)].map((it) => it.time_ms);
    expect(times).toEqual(rows.map((it) => it.time_ms));
    expect([...reader.fixes('van', 0, morning * 2)].map((it) => it.time_ms)).toEqual(times);
  });

  it('a reader of the past reads the fixes alone, of drawn positions', async () => {
    const { reader } = await written([full, position({ time_ms: morning + 2, valid: false })]);
    const { time_ms, lat, lon, speed_kmh } = full;
    expect([...reader.fixes('van', 0, morning * 2)]).toEqual([{ time_ms, lat, lon, speed_kmh }]);
  });

  it('a reader of the past knows the newest drawn position before a moment', async () => {
    const { reader } = await written([position(), full, position({ time_ms: morning + 2, valid: false })]);
    expect(reader.lastBefore('van', morning)).toBeNull();
    expect(reader.lastBefore('van', morning + 1)).toEqual(position());
    expect(reader.lastBefore('van', morning + 9)).toEqual(full);
    expect(reader.lastBefore('nobody', morning + 9)).toBeNull();
  });

  it('a reader of the past sees what is written while it reads, and keeps no log from being put away', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => position({ time_ms: morning + at }));
    const { store, reader } = await written(rows);
    const track = reader.track('van', 0, morning * 2);
    track.next();
    const late = position({ time_ms: morning + 9_000 });
    await store.commit(batch({ positions: [late] }));
    expect([...track].at(-1)).toEqual(late);
  });
});
