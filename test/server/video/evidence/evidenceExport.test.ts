import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVerify } from '../../../../server/commands/verify/runVerify.ts';
import { evidenceManifest } from '../../../../server/contract/evidence.ts';
import { emptyBatch } from '../../../../server/store/telemetry/rows.ts';
import { eventRow } from '../../../../server/telemetry/eventRows.ts';
import { unzipped, verified } from '../../../support/evidenceArchive.ts';
import { placesBy } from '../../../support/namedPlaces.ts';
import { parseCsv } from '../../../support/parseCsv.ts';
import { position } from '../../store/telemetry/sampleRows.ts';
import { smallMp4 } from '../media/sampleVideos.ts';
import {
  addProfile,
  api,
  order,
  startVideoFixture,
  startCamera,
  videoAnswer,
  type Bench,
  type BenchOptions,
} from '../videoBench.ts';

let folder: string;
let clip: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clip-'));
  clip = await readFile(await smallMp4(folder));
});
afterAll(() => rm(folder, { recursive: true }));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A vehicle with two clips, a drive around them, and an event. */
async function depotWithClips(more: BenchOptions = {}) {
  const camera = await startCamera(videoAnswer(clip));
  const bench = await startVideoFixture({
    ...more,
    settings: { timezone: 'Europe/Riga', depot_name: 'Harbour <1>' },
  });
  const profile_id = await addProfile(bench, { url: `${camera.url}/{channel}` });
  const vehicle_id = bench.vehicles.byTerminal('0700')?.vehicle_id ?? '';
  const from_ms = bench.clock.now() - 70_000;
  await bench.store.commit({
    ...emptyBatch(),
    positions: Array.from({ length: 200 }, (_, i) =>
      position({ vehicle_id, time_ms: from_ms - 100_000 + i * 1_000, lat: 56.95 + i / 10_000, lon: 24.1 }),
    ),
    events: [-3_600_000, 5_000, 2_000].map((ms, i) =>
      eventRow({
        event_id: `40000000-0000-4000-8000-00000000000${i}`,
        kind: 'overspeed',
        vehicle_id,
        time_ms: from_ms + ms,
        received_ms: from_ms + ms,
        ...{ lat: 56.96, lon: 24.1 },
        details: { measured: 93.46, threshold: 60 + i, unit: 'km/h', duration_s: 12 },
      }),
    ),
  });
  const tasks: string[] = [];
  for (const channel of [1, 2]) {
    const { task_id } = await order(bench, profile_id, { channel });
    await bench.until(task_id, 'done');
    tasks.push(task_id);
  }
  return { bench, camera, profile_id, vehicle_id, tasks };
}

async function exported(bench: Bench, tasks: readonly string[], more = '', name = 'reader') {
  const query = tasks.map((id) => `tasks=${id}`).join('&');
  const response = await fetch(`${bench.url}${api}/evidence?${query}${more}`, {
    headers: { Authorization: `JWT ${name}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('an evidence export', () => {
  it('an evidence export holds the clips untouched, the track and the events of their time, a summary and the sums of all', async () => {
    const { bench, tasks, vehicle_id } = await depotWithClips();
    const { response, bytes } = await exported(bench, tasks, '&note=Tür+<b>auf</b>');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain('Video evidence 2026-11-21');
    const files = await unzipped(bytes);
    const time = '2026-11-21 11-57-50Z';
    expect([...files.keys()]).toEqual([
      'clips/ÄB 123 channel 1 2026-11-21 11-58-50Z.mp4',
      'clips/ÄB 123 channel 2 2026-11-21 11-58-50Z.mp4',
      `positions/ÄB 123 ${time}.csv`,
      `positions/ÄB 123 ${time}.geojson`,
      `events/ÄB 123 ${time}.csv`,
      `events/ÄB 123 ${time}.geojson`,
      'summary.html',
      'manifest.json',
      'manifest.sha256',
    ]);
    const kept = await bench.store.tasksById(tasks);
    for (const row of kept) {
      const name = `clips/ÄB 123 channel ${row.channel} 2026-11-21 11-58-50Z.mp4`;
      expect(sha256(files.get(name) ?? Buffer.alloc(0))).toBe(row.file?.sha256);
    }

    const manifest = evidenceManifest.parse(JSON.parse(String(files.get('manifest.json'))));
    expect(manifest).toMatchObject({
      app_version: '1.2.3',
      exported_by: { login: 'reader' },
      depot: { name: 'Harbour <1>', timezone: 'Europe/Riga' },
      note: 'Tür <b>auf</b>',
      left_out: [],
      vehicles: [
        {
          vehicle_id,
          plate: 'ÄB 123',
          from: '2026-11-21T11:57:50.000Z',
          to: '2026-11-21T12:00:00.000Z',
          // From a minute before to a minute after, one a second.
          positions: 131,
          // Two of them say that the clips are there.
          events: 4,
        },
      ],
    });
    expect(manifest.files.map((it) => it.name)).toEqual([...files.keys()].slice(0, -2));
    for (const { name, size_bytes, sha256: sum } of manifest.files) {
      const file = files.get(name) ?? Buffer.alloc(0);
      expect([name, file.length, sha256(file)]).toEqual([name, size_bytes, sum]);
    }
    const sums = String(files.get('manifest.sha256')).trim().split('\n');
    expect(sums).toHaveLength(manifest.files.length + 1);
    expect(sums.at(-1)).toBe(`${sha256(files.get('manifest.json') ?? Buffer.alloc(0))} *manifest.json`);

    const csv = String(files.get(`positions/ÄB 123 ${time}.csv`))
      .trim()
      .split('\r\n');
    expect(csv).toHaveLength(1 + 131);
    const track = JSON.parse(String(files.get(`positions/ÄB 123 ${time}.geojson`))) as {
      features: unknown[];
    };
    expect(track.features).toHaveLength(131);
    const events = String(files.get(`events/ÄB 123 ${time}.csv`))
      .trim()
      .split('\r\n');
    expect(events.slice(1).map((line) => line.split(',')[2])).toEqual([
      '"Overspeed',
      '"Overspeed',
      'Video was fetched',
      'Video was fetched',
    ]);
    expect(events[1]).toContain('limit 62');
    const published = JSON.parse(String(files.get(`events/ÄB 123 ${time}.geojson`))) as {
      features: unknown[];
    };
    expect(published.features).toHaveLength(4);

    const page = String(files.get('summary.html'));
    expect(page).toContain('Harbour &lt;1&gt;');
    expect(page).toContain('Tür &lt;b&gt;auf&lt;/b&gt;');
    expect(page).toContain('2026-11-21 13:58:50 GMT+02:00');
    expect(page).toContain('Overspeed, 93 km/h, limit 61, for 12 s');
    expect(page).toContain('class="shown"');
    expect(page).toContain(kept[0]?.file?.sha256 ?? 'no file');
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  it('an evidence export names the addresses of the events and of the ends of the track, and passes verify', async () => {
    const { bench, tasks } = await depotWithClips({
      placesWithin: placesBy(({ lat }) =>
        lat === 56.96 ? 'Elm <Street> 12, Elmswell' : `Lat ${lat.toFixed(2)}`,
      ),
    });
    const { bytes } = await exported(bench, tasks);
    const files = await unzipped(bytes);
    const named = (ending: string) => String([...files].find(([name]) => name.endsWith(ending))?.[1]);
    const events = [...files.keys()].filter((it) => it.startsWith('events/'));
    const [csv = '', geojson = ''] = events.map((it) => String(files.get(it)));
    const rows = parseCsv(csv);
    expect(rows.map((it) => it['address'])).toEqual([
      ...['Elm <Street> 12, Elmswell', 'Elm <Street> 12, Elmswell'],
      ...[undefined, undefined],
    ]);
    const { features } = JSON.parse(geojson) as { features: { properties: { address: string | null } }[] };
    expect(features.map((it) => it.properties.address)).toEqual(rows.map((it) => it['address'] ?? null));
    expect(named('summary.html')).toContain('<td>Elm &lt;Street&gt; 12, Elmswell</td>');
    expect(named('summary.html')).toMatch(/the start \(Lat 56\.95\)\. Square: the end \(Lat 56\.97\)/);
    expect((await verified(bytes)).code).toBe(0);
  });

  it('the summary of an evidence export is in the language and units of whoever exports it', async () => {
    const { bench, tasks } = await depotWithClips({ wording: { language: 'ru', distance_unit: 'mi' } });
    const { response, bytes } = await exported(bench, tasks);
    const name = /UTF-8''(.*?) 2026/.exec(
      decodeURIComponent(response.headers.get('content-disposition') ?? ''),
    );
    expect(name?.[1]).toBe('Видеодоказательства');
    const files = await unzipped(bytes);
    const page = String(files.get('summary.html'));
    expect(page).toContain('<html lang="ru">');
    expect(page).toContain('Превышение скорости, 58 миль/ч, ограничение 38, 12 с');
    expect(page).toMatch(/aria-label="Трек".*>\d+ м</);
    const said = page.replace(/<style>[^]*<\/style>/, '').replaceAll(/<code>.*<\/code>|<[^>]*>/g, ' ');
    const words = said.replaceAll(/clips\/.*?\.mp4|ÄB|&lt;|&gt;/g, '').match(/\p{Script=Latin}{2,}/gu);
    expect(new Set(words)).toEqual(
      new Set(
        'Harbour Front Cabin reader Europe Riga UTC GMT SHA manifest json sha sum check Fleetdeck'.split(' '),
      ),
    );
    const limited = await unzipped((await exported(bench, tasks, '', 'clipsOnly')).bytes);
    const { left_out } = evidenceManifest.parse(JSON.parse(String(limited.get('manifest.json'))));
    expect(left_out[1]?.reason).toBe('у экспортировавшего нет права видеть события.');
    expect(String(limited.get('summary.html'))).toContain(`Без событий: ${left_out[1]?.reason}`);
  });

  it('an evidence export is of tasks that the viewer sees and that are done, and of no others', async () => {
    const { bench, tasks, profile_id } = await depotWithClips();
    const [first = '', second = ''] = tasks;
    expect((await exported(bench, [first], '', 'outsider')).response.status).toBe(404);
    expect((await exported(bench, [first], '', 'stranger')).response.status).toBe(403);
    const ahead = await order(bench, profile_id, { to: new Date(bench.clock.now() + 60_000).toISOString() });
    expect((await exported(bench, [first, ahead.task_id])).response.status).toBe(409);
    await bench.as('writer').call('DELETE', `${api}/tasks/${second}`);
    expect((await exported(bench, [first, second])).response.status).toBe(410);
    expect((await bench.as('reader').get(`${api}/evidence`)).status).toBe(400);
    const access = await bench.as('reader').get(`${api}/tasks/${first}/access`);
    expect(access.body).toEqual({ items: [] });
  });

  it('an evidence export leaves out what the viewer may not see, and says so', async () => {
    const { bench, tasks } = await depotWithClips();
    const { bytes } = await exported(bench, tasks, '', 'clipsOnly');
    const files = await unzipped(bytes);
    expect([...files.keys()].filter((it) => /^(positions|events)/.test(it))).toEqual([]);
    const manifest = evidenceManifest.parse(JSON.parse(String(files.get('manifest.json'))));
    expect(manifest.left_out.map((it) => it.what)).toEqual(['positions', 'events']);
    expect(manifest.vehicles[0]).toMatchObject({ positions: null, events: null });
    const page = String(files.get('summary.html'));
    expect(page).toContain('Without positions: the one who exported it has no right');
    expect(page).not.toContain('<svg');
    expect((await verified(bytes)).code).toBe(0);
  });

  it('an evidence export marks a clip that was changed on the disk', async () => {
    const { bench, tasks } = await depotWithClips();
    const [row] = await bench.store.tasksById(tasks.slice(0, 1));
    const path = join(bench.folder, row?.file_name ?? '');
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(path, bytes);
    const zip = await exported(bench, tasks.slice(0, 1));
    expect(String((await unzipped(zip.bytes)).get('summary.html'))).toContain(
      'differs from the file fetched',
    );
    const { code, lines } = await verified(zip.bytes);
    expect(code).toBe(1);
    expect(lines.join('\n')).toContain('it was exported other than it had been fetched');
    await truncate(path, 10);
    expect((await exported(bench, tasks.slice(0, 1))).response.status).toBe(410);
  });

  it('an evidence export is logged with its user', async () => {
    const { bench, tasks } = await depotWithClips();
    await exported(bench, tasks);
    for (const task of tasks) {
      const { body } = await bench.as('writer').get(`${api}/tasks/${task}/access`);
      expect(body.items).toMatchObject([{ login: 'reader', action: 'exported' }]);
    }
  });

  it('an evidence export ends when the client hangs up, and lets the files go', async () => {
    const { bench, camera, profile_id } = await depotWithClips();
    const filler = Buffer.alloc(24 * 1024 * 1024);
    filler.writeUInt32BE(filler.length);
    filler.write('free', 4);
    camera.answer = videoAnswer(Buffer.concat([clip, filler]));
    const { task_id } = await order(bench, profile_id, {
      from: new Date(bench.clock.now() - 80_000).toISOString(),
    });
    await bench.until(task_id, 'done');
    const client = new AbortController();
    const response = await fetch(`${bench.url}${api}/evidence?tasks=${task_id}`, {
      headers: { Authorization: 'JWT reader' },
      signal: client.signal,
    });
    await response.body?.getReader().read();
    client.abort();
    const again = await exported(bench, [task_id]);
    expect((await verified(again.bytes)).code).toBe(0);
  });
});

describe('verify', () => {
  it('verify finds every file of an untouched export as the manifest says', async () => {
    const { bench, tasks } = await depotWithClips();
    const { code, lines } = await verified((await exported(bench, tasks)).bytes);
    expect(code).toBe(0);
    expect(lines[0]).toBe(
      'Evidence of Harbour <1>, exported 2026-11-21T12:00:00.000Z by reader, Fleetdeck 1.2.3.',
    );
    expect(lines[1]).toBe('All 7 files are as the manifest says.');
  });

  it('verify names a stored clip in which one bit was turned', async () => {
    const { bench, tasks } = await depotWithClips();
    const { bytes } = await exported(bench, tasks);
    const at = bytes.indexOf('mdat') + 100;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const { code, lines } = await verified(bytes);
    expect(code).toBe(1);
    expect(lines[1]).toMatch(/^differs {2}clips\/ÄB 123 channel 1 .* SHA-256 /);
    expect(lines.at(-1)).toBe('1 file is not as it was exported.');
  });

  it('verify is no archive, or none that is there: one line says so', async () => {
    const none = await verified(Buffer.from('not an archive at all, whatever its name says'));
    expect([none.code, none.lines.length]).toEqual([1, 1]);
    const lines: string[] = [];
    expect(await runVerify([join(folder, 'nothing.zip')], (line) => lines.push(line))).toBe(1);
    expect(lines[0]).toContain('cannot be read as a ZIP archive');
    expect(await runVerify([], (line) => lines.push(line))).toBe(1);
    expect(lines[1]).toContain('fleetdeck verify FILE.zip');
  });
});
