import { describe, expect, it } from 'vitest';
import { readEventsAddress, writeEventsAddress } from '../../../renderer/events/eventsAddress.ts';

const plain = readEventsAddress({});
const wordsOf = (address: Parameters<typeof writeEventsAddress>[0]) =>
  Object.fromEntries(Object.entries(writeEventsAddress(address)).filter((it) => it[1] !== null));

describe('the address of the events', () => {
  it('the address of the events names nothing while nothing is narrowed', () => {
    expect(plain).toMatchObject({ view: 'notifications', state: 'all', period: 'week', vehicle: null });
    expect(wordsOf(plain)).toEqual({});
  });

  it('the address of the events names every filter, and reads back what it names', () => {
    const address = {
      view: 'events',
      state: 'shelved',
      severity: 'alarm',
      kind: 'overspeed',
      vehicle: 'v1',
      rule: 'r1',
      geofence: 'g1',
      period: 'today',
    } as const;
    const words = wordsOf(address);
    expect(words).toMatchObject({ view: 'events', state: 'shelved', period: 'today', kind: 'overspeed' });
    expect(readEventsAddress(words as Record<string, string>)).toEqual(address);
  });

  it('the address of the events keeps the two ends of a period of its own', () => {
    const period = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 2, 12) };
    const words = wordsOf({ ...plain, period });
    expect(words).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T12:00:00.000Z' });
    expect(readEventsAddress(words as Record<string, string>).period).toEqual(period);
  });

  it('the address of the events keeps the whole past by its name', () => {
    const words = wordsOf({ ...plain, period: 'all' });
    expect(words).toEqual({ period: 'all' });
    expect(readEventsAddress(words as Record<string, string>).period).toBe('all');
  });

  it('the address of the events leaves out unknown parameters', () => {
    expect(
      readEventsAddress({ view: 'x', state: 'y', kind: 'z', period: 'era', from: 'soon', to: 'late' }),
    ).toEqual(plain);
    const backwards = { from: '2026-11-02T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' };
    expect(readEventsAddress(backwards).period).toBe('week');
  });
});
