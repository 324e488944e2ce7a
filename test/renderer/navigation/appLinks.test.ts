import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLink } from '../../../electron/openings.ts';
import { locationOf, shareLink } from '../../../renderer/navigation/appLinks.ts';
import { writePoint } from '../../../renderer/live/liveView.ts';
import type { ScreenName } from '../../../renderer/navigation/navigation.ts';

const ID = '0b0d7d4e-6a3c-4a52-9b0e-5a9a3f1c2d3e';
const HOST = 'https://north.example:8471';
const AT = '2026-11-24T16:00:00.000Z';

beforeEach(() => void vi.stubGlobal('window', { location: { origin: 'http://127.0.0.1:8500' } }));
afterEach(() => void vi.unstubAllGlobals());

function share(place: ScreenName, query: Record<string, string>, inProgram = true): string {
  const app = {
    platform: { openings: inProgram ? {} : null, connection: () => (inProgram ? { url: HOST } : null) },
    navigation: { linkTo: (to: string) => `${window.location.origin}/#/${to}` },
  };
  return shareLink(app as unknown as Parameters<typeof shareLink>[0], place, query);
}

describe('a link that is copied', () => {
  it.each([
    ['live', { vehicle: ID }, `fleetdeck://vehicle/${ID}`],
    ['geofences', { id: ID }, `fleetdeck://geofence/${ID}`],
    ['incidents', { id: ID }, `fleetdeck://incident/${ID}`],
    ['video', { task: ID }, `fleetdeck://task/${ID}`],
    ['live', { point: writePoint({ lat: -52.5, lon: 13.405 }) }, 'fleetdeck://point/-52.50000,13.40500'],
    ['history', { vehicle: ID, at: AT, with: 'v2' }, `fleetdeck://history/${ID}?at=${AT}`],
    ['events', { view: 'events', row: ID }, `fleetdeck://event/${ID}`],
  ] as const)('a link that is copied in the program from %s opens there again', (place, query, link) => {
    expect(share(place, query)).toBe(link);
    const read = readLink(link);
    expect(read).not.toBeNull();
    const location = read === null ? null : locationOf(read);
    expect(location?.place).toBe(place);
    expect(query).toMatchObject(location?.query ?? {});
  });

  it('a link that is copied from a vehicle’s profile opens the vehicle', () => {
    expect(share('vehicles', { id: ID })).toBe(`fleetdeck://vehicle/${ID}`);
  });

  it('a link that is copied in a browser is the address of its page', () => {
    expect(share('live', { vehicle: ID }, false)).toBe(`${window.location.origin}/#/live`);
  });

  it('a link that is copied in the program of what has no such link is an address of the host, not of this computer', () => {
    expect(share('history', { vehicle: ID })).toBe(`${HOST}/#/history`);
  });

  it('a link that is copied leads to nothing that the console does not know', () => {
    expect(locationOf({ kind: 'toString', id: ID, at: null })).toBeNull();
    expect(locationOf({ kind: 'alarm', id: ID, at: null })).toEqual({
      place: 'live',
      query: { notification: ID },
    });
  });
});
