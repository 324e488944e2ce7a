import { describe, expect, it, vi } from 'vitest';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { kindOf } from '../../../renderer/openFiles/fileKind.ts';
import { createOpenedFiles } from '../../../renderer/openFiles/openedFiles.ts';
import type { Opening } from '../../../renderer/platform/platform.ts';
import { startOpenings } from '../../../renderer/openFiles/openings.ts';
import { openFiles } from '../../../renderer/openFiles/openFiles.ts';

const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name);

describe('a file that is opened', () => {
  it.each([
    ['region.pmtiles', 'PMTiles\u0003', 'map'],
    ['region.mbtiles', 'SQLite format 3\0', 'map'],
    ['telemetry.db', 'SQLite format 3\0', null],
    ['fences.geojson', ' {"type":"FeatureCollection","features":[]}', 'geofences'],
    ['fences.kml', '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2">', 'geofences'],
    ['day.gpx', '<?xml version="1.0"?>\n<gpx version="1.1">', 'track'],
    ['page.html', '<!doctype html><html>', null],
    ['list.json', '[{"terminal_id":"1","name":"Van"}]', 'vehicles'],
    ['list.csv', 'terminal_id,name,plate\n1,Van,B-1', 'vehicles'],
    ['list.csv', 'IMEI;Kennzeichen;Name\n1;B-1;Van', 'vehicles'],
    ['day.csv', 'time,lat,lon,speed\n2026-11-24T10:00:00Z,52,13,40', 'track'],
    ['day.txt', 'time\tlat\tlon\n2026-11-24T10:00:00Z\t52\t13', 'track'],
    ['both.csv', 'vehicle,terminal_id,name,time,lat,lon', 'table'],
    ['other.csv', 'a,b,c\n1,2,3', 'table'],
    ['notes.md', 'a,b,c', null],
    ['empty.csv', '', null],
  ])('a file that is opened, %s with %j, is taken for %s', async (name, content, kind) => {
    expect(await kindOf(file(name, content))).toBe(kind);
  });

  it('a file that is opened is not taken for a table when it is a workbook', async () => {
    expect(await kindOf(file('list.csv', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1, 2])))).toBeNull();
  });
});

function setUp({ role = 'dealer', upload = null as object | null, name = null as string | null } = {}) {
  const openedFiles = createOpenedFiles();
  const start = vi.fn();
  const go = vi.fn();
  let toast: { text: string } | null = null;
  const app = {
    t: (key: string, values: object) => `${key} ${JSON.stringify(values)}`,
    user: { role, rights: { vehicles: 'read', geofences: 'write' } },
    openedFiles,
    windows: { name },
    toasts: { setState: (state: { toast: { text: string } }) => (toast = state.toast) },
    mapUploads: { start, store: { getState: () => ({ upload }) } },
    navigation: { go },
    notifications: { store: { getState: () => ({ byId: { get: () => ({ vehicle_id: 'v1' }) } }) } },
  } as unknown as AppContext;
  const waiting = () => openedFiles.store.getState().waiting.map(({ file: { name }, kind }) => [name, kind]);
  return { app, openedFiles, start, go, waiting, said: () => toast?.text };
}

const VEHICLES = file('list.csv', 'terminal_id,name');
const FENCES = file('fences.kml', '<kml>');
const MAP = file('region.pmtiles', 'PMTiles\u0003');

describe('files that are opened', () => {
  it('files that are opened wait for the operator one after the other', async () => {
    const { app, openedFiles, waiting } = setUp();
    await openFiles(app, [VEHICLES, FENCES]);
    expect(waiting()).toEqual([
      ['list.csv', 'vehicles'],
      ['fences.kml', 'geofences'],
    ]);
    openedFiles.closeFirst();
    expect(waiting()).toEqual([['fences.kml', 'geofences']]);
  });

  it('files that are opened are sent to the server at once when they are maps, one at a time', async () => {
    const { app, start, go } = setUp();
    await openFiles(app, [MAP]);
    expect(start.mock.calls).toEqual([[MAP]]);
    expect(go.mock.calls).toEqual([['settings', { tab: 'maps' }]]);
    const busy = setUp({ upload: { phase: 'sending' } });
    await openFiles(busy.app, [MAP]);
    expect(busy.start).not.toHaveBeenCalled();
    expect(busy.said()).toContain('open_files.upload_runs');
    const queue = setUp({ name: 'queue' });
    await openFiles(queue.app, [MAP]);
    expect(queue.start).not.toHaveBeenCalled();
    expect(queue.said()).toContain('open_files.map_elsewhere');
  });

  it('files that are opened are refused to those who may not import them', async () => {
    const { app, waiting, start, said } = setUp({ role: 'user' });
    await openFiles(app, [FENCES, VEHICLES, MAP]);
    expect(waiting()).toEqual([['fences.kml', 'geofences']]);
    expect(start).not.toHaveBeenCalled();
    expect(said()).toBe('open_files.denied {"name":"region.pmtiles"}');
  });

  it('files that are opened and unknown are named, and more than ten are not read', async () => {
    const { app, waiting, said } = setUp();
    await openFiles(app, [file('photo.jpg', new Uint8Array([0xff, 0xd8, 0xff]))]);
    expect(said()).toContain('photo.jpg');
    await openFiles(
      app,
      Array.from({ length: 11 }, () => VEHICLES),
    );
    expect(said()).toContain('open_files.too_many');
    expect(waiting()).toEqual([]);
  });

  it('files that are opened with the program are imported, and links are followed, those that come later too', async () => {
    const { app, waiting, go, said } = setUp();
    const id = '0b0d7d4e-6a3c-4a52-9b0e-5a9a3f1c2d3e';
    const openings: Opening[] = [
      { kind: 'file', file: VEHICLES },
      { kind: 'too large', name: 'region.pmtiles' },
    ];
    let announce: () => void = () => undefined;
    const stop = startOpenings(app, {
      take: () => Promise.resolve(openings.shift() ?? null),
      onWait(run) {
        announce = run;
        return () => (announce = () => undefined);
      },
    });
    await expect.poll(said).toContain('region.pmtiles');
    expect(waiting()).toEqual([['list.csv', 'vehicles']]);
    openings.push({ kind: 'link', link: { kind: 'alarm', id, at: null } });
    announce();
    await expect.poll(() => go.mock.calls).toEqual([['live', { notification: id, vehicle: 'v1' }]]);
    stop();
    openings.push({ kind: 'link', link: { kind: 'vehicle', id, at: null } });
    announce();
    expect(openings).toHaveLength(1);
  });
});
