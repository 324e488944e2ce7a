import { describe, expect, it } from 'vitest';
import type { RenderJob } from '../../../../server/video/simulation/journey.ts';
import {
  createSimulatedTerminal,
  positionAt,
  type TrackSample,
} from '../../../../server/video/terminals/simulatedTerminal.ts';

const minute = 60_000;

function sample(time_ms: number, more: Partial<TrackSample> = {}): TrackSample {
  return { time_ms, lat: 10, lon: 20, speed_kmh: 50, course_deg: 90, ...more };
}

describe('the position of a simulated camera', () => {
  it('the position of a simulated camera lies on the line between two samples, the short way round', () => {
    const track = [
      sample(0, { lon: 179, course_deg: 350 }),
      sample(1000, { lat: 11, lon: -179, course_deg: 10, speed_kmh: 70 }),
    ];
    expect(positionAt(track, 500)).toEqual({ lat: 10.5, lon: -180, speed_kmh: 60, course_deg: 0 });
    expect(positionAt(track, 750)).toEqual({ lat: 10.75, lon: -179.5, speed_kmh: 65, course_deg: 5 });
  });

  it('the position of a simulated camera is where it stood in a long gap, and nowhere known beyond it', () => {
    const track = [sample(0), sample(60 * minute, { lat: 12 })];
    expect(positionAt(track, 0)).toMatchObject({ speed_kmh: 50 });
    expect(positionAt(track, 9 * minute)).toMatchObject({ lat: 10, speed_kmh: 0 });
    expect(positionAt(track, 30 * minute)).toBeNull();
    expect(positionAt(track, 55 * minute)).toMatchObject({ lat: 12, speed_kmh: 0 });
    expect(positionAt([], 0)).toBeNull();
  });
});

describe('a simulated terminal', () => {
  it('a simulated terminal records the drive of its vehicle along its track', async () => {
    const asked: [string, number, number][] = [];
    const rendered: RenderJob[] = [];
    const terminal = createSimulatedTerminal({
      clip: { clip: (request) => Promise.resolve(void rendered.push(request)) },
      vehicleOf: () => ({ name: 'V 7', plate: null }),
      trackSamples: (id, from, to) => {
        asked.push([id, from, to]);
        return Promise.resolve([sample(from), sample(to)]);
      },
      clock: { now: () => 0 },
    });
    const starts_ms = await terminal.fetchFragment({
      vehicle_id: 'v',
      terminal_id: '7',
      channel: { channel: 3, name: 'Load' },
      from_ms: 20 * minute,
      to_ms: 21 * minute,
      connection: {},
      secret: null,
      output: '/nowhere',
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(starts_ms).toBe(20 * minute);
    expect(asked).toEqual([['v', 10 * minute, 31 * minute]]);
    expect(rendered[0]).toMatchObject({
      vehicle: { name: 'V 7', plate: '' },
      channel: { channel: 3, name: 'Load' },
      fromMs: 20 * minute,
      toMs: 21 * minute,
      fps: 8,
    });
    const line = { terminal_id: '7', connection: {}, signal: new AbortController().signal };
    expect(await terminal.isOnline(line)).toBe(true);
  });

  it('a simulated terminal has a clip drawn from a position once a second, from its first instant to its last', async () => {
    const rendered: RenderJob[] = [];
    const terminal = createSimulatedTerminal({
      clip: { clip: (request) => Promise.resolve(void rendered.push(request)) },
      vehicleOf: () => undefined,
      trackSamples: () =>
        Promise.resolve([sample(20 * minute, { lat: 0 }), sample(20 * minute + 5000, { lat: 5 })]),
      clock: { now: () => 0 },
    });
    await terminal.fetchFragment({
      ...{ vehicle_id: 'v', terminal_id: '7', channel: { channel: 1, name: 'Front' } },
      ...{
        from_ms: 20 * minute,
        to_ms: 20 * minute + 2500,
        connection: {},
        secret: null,
        output: '/nowhere',
      },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(rendered[0]?.positions.map((it) => it?.lat)).toEqual([0, 1, 2, 3]);
  });

  it('a simulated terminal has recorded all that has passed, on every channel', async () => {
    const terminal = createSimulatedTerminal({
      clip: { clip: () => Promise.resolve() },
      vehicleOf: () => undefined,
      trackSamples: () => Promise.resolve([]),
      clock: { now: () => 50 * minute },
    });
    const order = {
      ...{ vehicle_id: 'v', terminal_id: '7', connection: {}, signal: new AbortController().signal },
      channels: [1, 3],
    };
    const kept = (channel: number) => ({
      ...{ channel, from: '1970-01-01T00:40:00.000Z', to: '1970-01-01T00:50:00.000Z' },
      ...{ stream: null, size_bytes: null, alarm: false },
    });
    expect(await terminal.recordings?.({ ...order, from_ms: 40 * minute, to_ms: 90 * minute })).toEqual([
      kept(1),
      kept(3),
    ]);
    expect(await terminal.recordings?.({ ...order, from_ms: 60 * minute, to_ms: 90 * minute })).toEqual([]);
  });
});
