import { terminalKey } from '../../../../server/contract/sameKeys.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terminalId } from '../../../../server/contract/fields.ts';
import { readTrackFile, terminalIds, type TrackRow } from '../../../../server/commands/replay/trackFile.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'track-'));
});
afterAll(() => rm(folder, { recursive: true }));

const HEAD = 'vehicle,time_utc_iso,lat,lon,speed_kmh,course_deg';

async function allOf(file: string): Promise<TrackRow[]> {
  const rows: TrackRow[] = [];
  for await (const row of readTrackFile(file)) rows.push(row);
  return rows;
}

async function rowsOf(content: string): Promise<TrackRow[]> {
  const file = path.join(folder, 'track.csv');
  await writeFile(file, content);
  return allOf(file);
}

describe('a track file', () => {
  it('a track file is read row by row; an empty field is absent', async () => {
    expect(
      await rowsOf(
        `\uFEFF${HEAD}\r\n17,2017-04-18T22:10:00Z,30.2,-97.7,54.5,\r\n\r\n18,2017-04-18T22:10:05Z,30.3,-97.8,,90\r\n`,
      ),
    ).toEqual([
      { vehicle: '17', time: new Date('2017-04-18T22:10:00Z'), lat: 30.2, lon: -97.7, speedKmh: 54.5 },
      { vehicle: '18', time: new Date('2017-04-18T22:10:05Z'), lat: 30.3, lon: -97.8, courseDeg: 90 },
    ]);
  });

  it.each([
    ['', 'is empty'],
    ['lat,lon\n1,2\n', 'is no track file'],
    [`${HEAD}\n17,yesterday,1,2,,\n`, 'line 2: "yesterday" is no time'],
    [`${HEAD}\n17,2017-04-18T22:10:00Z,1,2,,\n17,2017-04-18T22:10:00Z,,2,,\n`, 'line 3: "" is no latitude'],
    [`${HEAD}\n17,2017-04-18T22:10:00Z,1,2,fast,\n`, 'line 2: "fast" is no speed'],
    [`${HEAD}\n,2017-04-18T22:10:00Z,1,2,,\n`, 'line 2: no vehicle'],
  ])('a track file that is none says what is wrong: %j', async (content, message) => {
    await expect(rowsOf(content)).rejects.toThrow(message);
  });

  it('a track file that is a folder says so', async () => {
    await expect(allOf(folder)).rejects.toThrow(/cannot read .*EISDIR/);
  });

  it('a track file that is not there says so', async () => {
    await expect(allOf(path.join(folder, 'none.csv'))).rejects.toThrow(/cannot read .*none\.csv/);
  });
});

describe('terminal IDs of a file', () => {
  it('terminal IDs of a file keep what is allowed and stay the same for the same vehicle', () => {
    const idOf = terminalIds();
    expect([idOf('6603'), idOf('Bus 304/UL'), idOf('6603')]).toEqual(['6603', 'Bus-304-UL', '6603']);
  });

  it('terminal IDs of a file differ where two names would be one terminal', () => {
    const idOf = terminalIds();
    expect(['a b', 'a/b', 'A-b', '007', '7'].map(idOf)).toEqual(['a-b', 'a-b-2', 'A-b-3', '007', '7-2']);
  });

  it('terminal IDs of a file are always such as the API takes, one for each vehicle', () => {
    const names = fc.uniqueArray(
      fc.oneof(
        fc.string({ minLength: 1, maxLength: 50 }),
        fc.constantFrom('0', '00', 'me', 'import', 'a'.repeat(32), 'b'.repeat(40)),
      ),
    );
    fc.assert(
      fc.property(names, (vehicles) => {
        const ids = vehicles.map(terminalIds());
        for (const id of ids) expect(terminalId.safeParse(id).success).toBe(true);
        expect(new Set(ids.map(terminalKey)).size).toBe(vehicles.length);
      }),
    );
  });
});
