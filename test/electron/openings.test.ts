import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenings, readLink } from '../../electron/openings.ts';

const ID = '0b0d7d4e-6a3c-4a52-9b0e-5a9a3f1c2d3e';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fleetdeck-openings-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setUp() {
  const warnings: string[] = [];
  let announced = 0;
  const openings = createOpenings({ announce: () => announced++, warn: (words) => warnings.push(words) });
  return { openings, warnings, announced: () => announced };
}

describe('a link of fleetdeck://', () => {
  it.each(['vehicle', 'alarm', 'event', 'incident', 'geofence', 'task'])(
    'a link of fleetdeck:// opens a %s',
    (kind) => {
      expect(readLink(`fleetdeck://${kind}/${ID}`)).toEqual({ kind, id: ID, at: null });
      expect(readLink(`fleetdeck://${kind}/${ID}/`)).toEqual({ kind, id: ID, at: null });
    },
  );

  it('a link of fleetdeck:// opens the history of a vehicle at a time', () => {
    const at = '2026-11-24T16:00:00.000Z';
    expect(readLink(`fleetdeck://history/${ID}?at=${at}`)).toEqual({ kind: 'history', id: ID, at });
  });

  it('a link of fleetdeck:// opens a point of the map', () => {
    const id = '-52.50000,13.40500';
    expect(readLink(`fleetdeck://point/${id}`)).toEqual({ kind: 'point', id, at: null });
  });

  it.each([
    `fleetdeck://settings/${ID}`,
    `fleetdeck://history/${ID}`,
    `fleetdeck://vehicle/${ID}?at=2026-11-24T16:00:00Z`,
    `fleetdeck://vehicle/${ID}#/settings`,
    `fleetdeck://vehicle/${ID}\nfleetdeck://task/${ID}`,
    `fleetdeck://vehicle/..%2f${ID}`,
    'fleetdeck://vehicle/1',
    'fleetdeck://point/52,13',
    'fleetdeck://point/52.50000,13.40500,9.00000',
    `fleetdeck://point/${ID}`,
    'fleetdeck://vehicle/52.50000,13.40500',
    `fleetdeck:vehicle/${ID}`,
    `https://example.org/vehicle/${ID}`,
    `fleetdeck://user@vehicle/${ID}`,
  ])('a link of fleetdeck:// has no other form: %s', (text) => {
    expect(readLink(text)).toBeNull();
  });

  it('a link of fleetdeck:// leads nowhere else, whatever is typed after it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const link = readLink(`fleetdeck://${before}/${ID}${after}`);
        if (link !== null) expect(link.id).toBe(ID);
      }),
    );
  });
});

describe('what is opened with the program', () => {
  it('what is opened with the program waits for the page: links and files, of a start’s arguments', async () => {
    writeFileSync(join(folder, 'fences.kml'), '<kml>');
    const { openings, announced } = setUp();
    const args = ['--user-data-dir=/x.csv', '.', `fleetdeck://task/${ID}`, 'fences.kml', 'program.exe'];
    openings.addArguments(args, folder);
    expect(announced()).toBe(2);
    expect(await openings.take()).toEqual({ kind: 'link', link: { kind: 'task', id: ID, at: null } });
    const file = await openings.take();
    expect(file).toMatchObject({ kind: 'file', name: 'fences.kml' });
    expect(file?.kind === 'file' && new TextDecoder().decode(file.content)).toBe('<kml>');
    expect(await openings.take()).toBeNull();
  });

  it('what is opened with the program is refused when the link has another form, and logged', () => {
    const { openings, warnings, announced } = setUp();
    openings.addLink('fleetdeck://evil/../..');
    expect(announced()).toBe(0);
    expect(warnings).toEqual(['refused link fleetdeck://evil/../..']);
  });

  it('what is opened with the program says so when it is too large, no file or gone', async () => {
    const large = join(folder, 'region.pmtiles');
    writeFileSync(large, '');
    // A hole: it takes no space.
    truncateSync(large, 300 * 1024 ** 2);
    const { openings } = setUp();
    openings.addFile(large);
    openings.addFile(folder);
    openings.addFile(join(folder, 'gone.csv'));
    expect(await openings.take()).toEqual({ kind: 'too large', name: 'region.pmtiles' });
    expect(await openings.take()).toMatchObject({ kind: 'unreadable' });
    expect(await openings.take()).toEqual({ kind: 'unreadable', name: 'gone.csv' });
  });

  it('what is opened with the program are ten at most that wait', () => {
    const { openings, warnings, announced } = setUp();
    for (let count = 0; count < 12; count++) openings.addFile(`/tracks/${count}.gpx`);
    expect(announced()).toBe(10);
    expect(warnings).toHaveLength(2);
  });
});
