import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evidenceManifest } from '../../../server/contract/evidence.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { preferenceRoutes } from '../../../server/contract/preferences.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import type { Caller } from '../../support/testHost.ts';
import { unzipped, verified } from '../../support/evidenceArchive.ts';
import { readPdf } from '../../support/readPdf.ts';
import { startIncidentDepot, type IncidentDepot } from './incidentDepot.ts';

let depot: IncidentDepot;
beforeAll(async () => {
  depot = await startIncidentDepot();
});
afterAll(() => depot.host.close());

let vehicles = 0;

/** An SOS of a vehicle, which Anna took over, noted and ticked. */
async function handledSos() {
  const terminal = `${500 + vehicles++}`;
  const vehicle_id = await depot.addVehicle(terminal);
  await depot.press(terminal);
  const [incident] = await depot.incidentsOf(vehicle_id);
  if (incident === undefined) throw new Error('the SOS opened no incident');
  const params = { incident_id: incident.incident_id };
  await expect
    .poll(async () => (await depot.dealer.ask(incidentRoutes.get, { params })).driver?.name)
    .toBe(`Driver ${terminal}`);
  await depot.anna.ask(incidentRoutes.note, { params, body: { text: 'The driver answers,\nall is well' } });
  await depot.anna.ask(incidentRoutes.tick, { params: { ...params, item_id: 1 }, body: { done: true } });
  return { terminal, vehicle_id, number: incident.number, params };
}

async function fetched(who: Caller, incident_id: string, what: string) {
  const response = await fetch(`${depot.host.url}/api/v1/incidents/${incident_id}/${what}`, {
    headers: { Authorization: `JWT ${who.jwt}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('an incident as PDF', () => {
  it('an incident as PDF says who, where and when, its notes, alarms and what was done', async () => {
    const { params, terminal, number } = await handledSos();
    const { response, bytes } = await fetched(depot.anna, params.incident_id, 'pdf?tz=Europe/Riga');
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toContain(`incident_${number}.pdf`);
    const text = (await readPdf(bytes)).flat().join('\n');
    for (const part of [
      `Incident #${number}: SOS`,
      `Van ${terminal}, AL ${terminal}`,
      `Driver ${terminal}, +371 2000 ${terminal}`,
      '56.900000, 24.100000',
      'The driver answers,',
      'all is well',
      'Call the driver',
      'Alarm attached: SOS',
      'Europe/Riga',
    ])
      expect(text).toContain(part);
  });

  it('an incident as PDF hides from a reader without vehicles what the console hides, and from another group everything', async () => {
    const { params, terminal } = await handledSos();
    const { bytes } = await fetched(depot.reader, params.incident_id, 'pdf');
    const text = (await readPdf(bytes)).flat().join('\n');
    expect(text).toContain('The driver answers,');
    expect(text).not.toContain(`Driver ${terminal}`);
    expect(text).not.toContain(`AL ${terminal}`);
    for (const what of ['pdf', 'evidence'])
      expect((await fetched(depot.boris, params.incident_id, what)).response.status).toBe(404);
  });
});

describe('the language of an incident as PDF', () => {
  afterEach(() => depot.anna.ask(preferenceRoutes.put, { body: { preferences: {} } }));

  it.each([
    [
      'de',
      ['Vorfall #', 'Schwere', 'In Arbeit', 'Erledigt: ', 'Alarm hinzugefügt: SOS', 'Zeitachse', 'Keine.'],
    ],
    [
      'ru',
      ['Инцидент №', 'Важность', 'В работе', 'Выполнено: ', 'Добавлена тревога: SOS', 'Хронология', 'Нет.'],
    ],
    ['zh', ['警情', '级别', '处理中', '已完成：', '添加报警：', '处理记录', '无。']],
  ] as const)('an incident as PDF is in the language of whoever asks for it: %s', async (language, words) => {
    const { anna } = depot;
    const { params } = await handledSos();
    await anna.ask(incidentRoutes.patch, { params, body: { status: 'in_progress' } });
    await anna.ask(preferenceRoutes.put, { body: { preferences: { language, distance_unit: 'mi' } } });
    const { bytes } = await fetched(anna, params.incident_id, 'pdf');
    const text = (await readPdf(bytes)).flat().join('\n');
    for (const word of words) expect(text).toContain(word);
    // What people wrote stays as it is.
    for (const word of ['The driver answers,', 'Call the driver']) expect(text).toContain(word);
    for (const word of ['Incident', 'Severity', 'In progress', 'Done', 'attached', 'Timeline', 'None.'])
      expect(text).not.toContain(word);
    expect(text).not.toContain('…');
    expect(text).toMatch(/\d (mi|ft|миль|фут)/);
  });

  it('an incident as PDF has its times by the clock of whoever asks for it', async () => {
    const { anna } = depot;
    const { params } = await handledSos();
    await anna.ask(preferenceRoutes.put, { body: { preferences: { hour_cycle: 'h12' } } });
    const { bytes } = await fetched(anna, params.incident_id, 'pdf');
    const text = (await readPdf(bytes)).flat().join('\n');
    const times = text.match(/\d\d-\d\d \d+:\d\d.{0,6}/g) ?? [];
    expect(times.length).toBeGreaterThan(4);
    for (const time of times) expect(time).toMatch(/ (1[0-2]|[1-9]):\d\d(:\d\d)? [ap]m/);
  });
});

describe('an incident as evidence', () => {
  it('an incident as evidence holds its clips, track and events, itself as JSON and PDF, and verifies', async () => {
    const { dealer, anna, clock } = depot;
    const { params, vehicle_id, number } = await handledSos();
    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
    });
    const iso = (ms: number) => new Date(ms).toISOString();
    const { task_id } = await anna.ask(videoRoutes.createTask, {
      body: { profile_id, channel: 1, from: iso(clock.now() - 3_000), to: iso(clock.now() - 1_000) },
    });
    await anna.ask(incidentRoutes.attachClip, { params: { ...params, task_id } });
    await expect
      .poll(async () => (await anna.ask(incidentRoutes.get, { params })).last_entry?.action, {
        timeout: 60_000,
      })
      .toBe('clip_done');

    const { response, bytes } = await fetched(anna, params.incident_id, 'evidence?note=For+the+insurer');
    expect(response.headers.get('content-disposition')).toContain(`Incident ${number} `);
    expect((await verified(bytes)).code).toBe(0);
    const files = await unzipped(bytes);
    const manifest = evidenceManifest.parse(JSON.parse(files.get('manifest.json')?.toString() ?? ''));
    expect(manifest).toMatchObject({ note: 'For the insurer', left_out: [], clips: [{ task_id }] });
    // The SOS, and that the clip is there.
    expect(manifest.vehicles).toMatchObject([{ vehicle_id, positions: 1, events: 2 }]);
    const json = JSON.parse(files.get('incident.json')?.toString() ?? '') as Record<string, unknown>;
    expect(json).toMatchObject({ ...params, number, title: 'SOS', task_ids: [task_id] });
    expect((json['timeline'] as { action: string }[]).map((it) => it.action)).toEqual([
      ...['created', 'alarm_added', 'note_added', 'item_ticked', 'clip_added', 'clip_done'],
    ]);
    expect((await readPdf(files.get('incident.pdf') ?? Buffer.of())).flat().join('\n')).toContain('Clips');
    expect((await anna.ask(videoRoutes.access, { params: { task_id } })).items).toMatchObject([
      { action: 'exported' },
    ]);

    const unseen = await fetched(depot.reader, params.incident_id, 'evidence');
    const others = evidenceManifest.parse(
      JSON.parse((await unzipped(unseen.bytes)).get('manifest.json')?.toString() ?? ''),
    );
    expect(others.clips).toEqual([]);
    expect(others.left_out.map((it) => it.what).toSorted()).toEqual(['clips', 'positions']);
  }, 240_000);

  it('an incident as evidence has the time around it without a clip, and says which clips are not there', async () => {
    const { dealer, anna, clock } = depot;
    const { params, vehicle_id } = await handledSos();
    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: {
        ...{ vehicle_id, kind: 'http', channels: [{ channel: 1, name: 'front' }] },
        connection: { url: 'http://127.0.0.1:9/{channel}' },
      },
    });
    const iso = (ms: number) => new Date(ms).toISOString();
    const { task_id } = await anna.ask(videoRoutes.createTask, {
      body: { profile_id, channel: 1, from: iso(clock.now() - 3_000), to: iso(clock.now() - 1_000) },
    });
    await anna.ask(incidentRoutes.attachClip, { params: { ...params, task_id } });
    const { bytes } = await fetched(anna, params.incident_id, 'evidence');
    const files = await unzipped(bytes);
    const manifest = evidenceManifest.parse(JSON.parse(files.get('manifest.json')?.toString() ?? ''));
    expect(manifest.clips).toEqual([]);
    expect(manifest.left_out).toMatchObject([{ what: 'clips' }]);
    expect(manifest.left_out[0]?.reason).toContain(task_id);
    expect(manifest.vehicles).toMatchObject([{ vehicle_id, positions: 1, events: 1 }]);
    expect(files.get('summary.html')?.toString()).toContain('None.');
  });
});
