import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { evidenceManifest } from '../../../server/contract/evidence.ts';
import {
  incidentRoutes,
  incidentSnapshot,
  type Incident,
  type IncidentSnapshot,
} from '../../../server/contract/incidents.ts';
import { snapshotRoutes } from '../../../server/contract/incidentSnapshots.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { incidentBounds } from '../../../server/contract/quotas.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { DiskFull } from '../../../server/store/storeErrors.ts';
import { pathOf, type Answer } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { unzipped, verified } from '../../support/evidenceArchive.ts';
import { jpegOf } from '../../support/jpegOf.ts';
import { readPdf } from '../../support/readPdf.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller } from '../../support/testHost.ts';
import { startIncidentDepot, type IncidentDepot } from './incidentDepot.ts';

let depot: IncidentDepot;
beforeAll(async () => {
  depot = await startIncidentDepot();
});
afterAll(() => depot.host.close());

const { attach: attachSnapshot, picture: pictureRoute, remove: removeSnapshot } = snapshotRoutes;
type Query = Partial<
  Record<'kind' | 'time' | 'vehicle_id' | 'shown_vehicle_ids' | 'channel' | 'note', string>
>;

const post = (
  who: Caller,
  incident_id: string,
  body: Buffer | string,
  query: Query = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  who.post(
    pathOf(attachSnapshot, {
      params: { incident_id },
      query: { kind: 'map', time: '2026-11-20T12:00:00.000Z', ...query },
    }),
    typeof body === 'string' ? body : Uint8Array.from(body),
    { 'Content-Type': 'image/jpeg', ...headers },
  );

const said = ({ status, code, text }: Answer) => `${status} ${code ?? ''} ${text}`;

async function attached(...asked: Parameters<typeof post>): Promise<IncidentSnapshot> {
  const answer = await post(...asked);
  if (answer.status !== 201) throw new Error(said(answer));
  return incidentSnapshot.parse(answer.body);
}

const fetched = ({ url }: { url: string }, who: Caller, path: string) =>
  fetch(`${url}${path}`, { headers: { Authorization: `JWT ${who.jwt}` } });

const pictureOf = (incident_id: string, snapshot_id: string) =>
  pathOf(pictureRoute, { params: { incident_id, snapshot_id } });

const filesIn = (data: string) => readdir(join(data, 'snapshots'));

let vehicles = 0;
async function pressedSos() {
  const terminal = `${700 + vehicles++}`;
  const vehicle_id = await depot.addVehicle(terminal);
  await depot.press(terminal);
  const [incident] = await depot.incidentsOf(vehicle_id);
  if (incident === undefined) throw new Error('the SOS opened no incident');
  const { incident_id } = incident;
  const read = (who: Caller = depot.dealer) => who.ask(incidentRoutes.get, { params: { incident_id } });
  return { terminal, vehicle_id, incident_id, number: incident.number, read };
}

describe('a snapshot of an incident', () => {
  it('a snapshot is attached with what it shows, read as it was sent, and deleted; the timeline and the audit log say so', async () => {
    const { anna, dealer, host } = depot;
    const { incident_id, vehicle_id, number, read } = await pressedSos();
    const stream = await openStream(host.url, anna, { query: 'topics=incident' });
    onTestFinished(() => stream.close());
    const bytes = jpegOf({ width: 1_280, height: 720, comment: 'front' });
    const about = { kind: 'video', channel: '2', note: 'The tyre is flat' };
    const answer = await post(anna, incident_id, bytes, about);
    const made = incidentSnapshot.parse(answer.body);
    expect(made).toMatchObject({
      ...{ kind: 'video', channel: 2, note: 'The tyre is flat', vehicle_id, width: 1_280, height: 720 },
      ...{ time: '2026-11-20T12:00:00.000Z', size_bytes: bytes.length },
    });
    const path = pictureOf(incident_id, made.snapshot_id);
    expect(answer.headers.get('location')).toBe(path);
    expect((await read()).snapshots).toEqual([made]);
    const isThere = (it: object) => 'snapshots' in it && (it.snapshots as unknown[]).length === 1;
    expect((await stream.next('incident', isThere)).data).toMatchObject({ snapshots: [made] });

    const picture = await fetched(host, anna, path);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(bytes);
    const headers = Object.fromEntries(picture.headers);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      etag: `"${made.sha256}"`,
    });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-disposition']).toContain(`attachment; filename="incident ${number} `);

    const { snapshot_id } = made;
    await anna.ask(removeSnapshot, { params: { incident_id, snapshot_id } });
    expect((await fetched(host, anna, path)).status).toBe(404);
    expect(await filesIn(host.data)).not.toContain(`${snapshot_id}.jpg`);
    const { snapshots, timeline } = await read();
    expect(snapshots).toEqual([]);
    expect(timeline.items.slice(0, 2)).toMatchObject([
      { action: 'snapshot_removed', snapshot_id, user: { name: 'anna' } },
      { action: 'snapshot_added', snapshot_id, text: 'The tyre is flat', to: 'video' },
    ]);
    const { items } = await dealer.ask(auditRoutes.list, { query: { entity_id: incident_id } });
    const changes = items.map((it) => [it.before, it.after]);
    expect(changes).toContainEqual([
      expect.anything(),
      { snapshot: snapshot_id, kind: 'video', note: 'The tyre is flat' },
    ]);
    expect(changes).toContainEqual([{ snapshot: snapshot_id }, { snapshot: null }]);
  });

  it('a snapshot that is sent twice with the same key is attached once, and another under that key is refused', async () => {
    const { anna, host } = depot;
    const { incident_id, read } = await pressedSos();
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await attached(anna, incident_id, jpegOf(), {}, key);
    const before = await filesIn(host.data);
    expect(await attached(anna, incident_id, jpegOf(), {}, key)).toEqual(first);
    expect(await filesIn(host.data)).toEqual(before);
    expect((await read()).snapshots).toHaveLength(1);
    expect((await post(anna, incident_id, jpegOf({ comment: 'another' }), {}, key)).status).toBe(400);
    expect((await post(anna, incident_id, jpegOf(), { note: 'another' }, key)).status).toBe(400);
  });

  it('what is no JPEG, too large, of a strange size, or of the future is refused and leaves no file', async () => {
    const { anna, host } = depot;
    const { incident_id, read } = await pressedSos();
    const before = await filesIn(host.data);
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const { snapshotBytes, snapshotSide } = incidentBounds;
    const refused = [
      await post(anna, incident_id, png),
      await post(anna, incident_id, '<script>alert(1)</script>'),
      await post(anna, incident_id, jpegOf().subarray(0, -1)),
      await post(anna, incident_id, jpegOf({ width: 0 })),
      await post(anna, incident_id, jpegOf({ height: snapshotSide + 1 })),
      await post(anna, incident_id, jpegOf(), { time: '2099-01-01T00:00:00Z' }),
      await post(anna, incident_id, jpegOf(), { channel: '1' }),
      await post(anna, incident_id, jpegOf(), { note: 'x'.repeat(501) }),
    ];
    expect(refused.map((it) => `${it.status} ${it.code ?? ''}`)).toEqual(
      refused.map(() => '400 validation_failed'),
    );
    const large = await post(anna, incident_id, jpegOf({ bytes: snapshotBytes + 1 }));
    const typed = await post(anna, incident_id, png, {}, { 'Content-Type': 'image/png' });
    expect([large.code, typed.code]).toEqual(['too_large', 'unsupported_media_type']);
    expect((await read()).snapshots).toEqual([]);
    expect(await filesIn(host.data)).toEqual(before);
    expect((await attached(anna, incident_id, jpegOf({ bytes: snapshotBytes }))).size_bytes).toBe(
      snapshotBytes,
    );
  });

  it('an incident takes so many snapshots and bytes, and no more of a closed one', async () => {
    const { anna, dealer, host } = depot;
    const { snapshots, snapshotBytes, snapshotsBytes } = incidentBounds;
    const small = (await pressedSos()).incident_id;
    for (let at = 0; at < snapshots; at++) await attached(anna, small, jpegOf());
    const large = (await pressedSos()).incident_id;
    for (let left = snapshotsBytes; left > 0; left -= snapshotBytes)
      await attached(anna, large, jpegOf({ bytes: Math.min(left, snapshotBytes) }));
    const closed = (await pressedSos()).incident_id;
    await dealer.ask(incidentRoutes.close, { params: { incident_id: closed }, body: { reason: 'Test' } });
    const before = await filesIn(host.data);
    for (const [incident_id, code] of [
      [small, 'quota_exceeded'],
      [large, 'quota_exceeded'],
      [closed, 'in_use'],
    ] as const)
      expect((await post(anna, incident_id, jpegOf())).code).toBe(code);
    expect((await filesIn(host.data)).toSorted()).toEqual(before.toSorted());
  });

  it('a snapshot is for those who see the incident and its vehicle; one of video for those who may see video', async () => {
    const { anna, boris, dealer, reader, host } = depot;
    const { incident_id, read } = await pressedSos();
    const other = await depot.addVehicle(`${700 + vehicles++}`);
    await dealer.ask(groupRoutes.removeVehicle, { params: { vehicle: other, group_id: depot.group_id } });
    const map = await attached(anna, incident_id, jpegOf());
    const video = await attached(anna, incident_id, jpegOf(), { kind: 'video', channel: '1' });
    const ofOther = await attached(dealer, incident_id, jpegOf(), { kind: 'video', vehicle_id: other });
    const { items } = await dealer.ask(userRoutes.list, { query: { q: 'reader' } });
    const params = { user_id: items[0]?.user_id ?? '' };
    const withoutVideo = { vehicles: 'none', notifications: 'write', video: 'none' } as const;
    await dealer.ask(userRoutes.patch, { params, body: { rights: withoutVideo } });
    onTestFinished(async () => {
      await dealer.ask(userRoutes.patch, { params, body: { rights: { vehicles: 'none' } } });
    });

    const seenBy = async (who: Caller) => (await read(who)).snapshots.map((it) => it.snapshot_id);
    const all = [map, video, ofOther].map((it) => it.snapshot_id);
    expect(await seenBy(dealer)).toEqual(all);
    expect(await seenBy(anna)).toEqual(all.slice(0, 2));
    expect(await seenBy(reader)).toEqual(all.slice(0, 1));
    const lines = (await read(reader)).timeline.items.filter((it) => it.snapshot_id !== null);
    expect(lines.map((it) => it.snapshot_id)).toEqual([map.snapshot_id]);
    for (const [who, snapshot, status] of [
      [anna, map, 200],
      [anna, video, 200],
      [anna, ofOther, 404],
      [reader, map, 200],
      [reader, video, 404],
      [boris, map, 404],
    ] as const)
      expect((await fetched(host, who, pictureOf(incident_id, snapshot.snapshot_id))).status).toBe(status);
    const remove = (who: Caller, { snapshot_id }: IncidentSnapshot) =>
      who.outcome(removeSnapshot, { params: { incident_id, snapshot_id } });
    expect([await remove(reader, video), await remove(boris, map)]).toEqual(
      Array.from({ length: 2 }, () => '404 not_found'),
    );
    expect((await post(reader, incident_id, jpegOf(), { kind: 'video' })).code).toBe('forbidden');
    expect((await post(boris, incident_id, jpegOf())).code).toBe('not_found');
    expect((await post(anna, incident_id, jpegOf(), { vehicle_id: other })).code).toBe('not_found');
    await dealer.ask(userRoutes.patch, { params, body: { rights: { notifications: 'read' } } });
    expect((await post(reader, incident_id, jpegOf())).code).toBe('forbidden');
  });

  it('snapshots are in the incident as PDF and in the evidence, which verifies, as far as who asks may see them', async () => {
    const { anna, reader, host } = depot;
    const { incident_id, terminal } = await pressedSos();
    const [first, second, odd] = [
      jpegOf({ comment: 'first' }),
      jpegOf({ width: 300, height: 2_000, channels: 1, comment: 'second' }),
      // A picture whose Exif data lead beyond its end.
      jpegOf({ comment: 'odd', exif: 'Exif\0\0MM\0*\x7f\xff\xff\xff' }),
    ];
    await attached(anna, incident_id, first, { kind: 'video', channel: '3', note: 'Seen from behind' });
    await attached(anna, incident_id, second);
    await attached(anna, incident_id, odd);
    const path = `/api/v1/incidents/${incident_id}`;
    const download = async (who: Caller, what: string) =>
      Buffer.from(await (await fetched(host, who, `${path}/${what}`)).arrayBuffer());

    const pdf = await download(anna, 'pdf?tz=UTC');
    for (const bytes of [first, second]) expect(pdf.includes(bytes)).toBe(true);
    expect(pdf.includes('/DCTDecode')).toBe(true);
    const text = (await readPdf(pdf)).flat().join('\n');
    expect(text).toContain(`2026-11-20 12:00:00, Van ${terminal}, Camera 3, Seen from behind`);
    expect(text).toContain(`Van ${terminal}, Map`);
    const seen = await download(reader, 'pdf');
    expect([seen.includes(first), seen.includes(second)]).toEqual([false, true]);

    const zip = await download(anna, 'evidence?tz=UTC');
    expect((await verified(zip)).code).toBe(0);
    const files = await unzipped(zip);
    const pictures = [...files].filter(([name]) => name.startsWith('snapshots/'));
    expect(pictures.map(([, bytes]) => bytes)).toEqual([first, second, odd]);
    expect(pictures[0]?.[0]).toMatch(/channel 3\.jpg$/);
    const { snapshots } = JSON.parse(files.get('incident.json')?.toString() ?? '') as Incident;
    const manifest = evidenceManifest.parse(JSON.parse(files.get('manifest.json')?.toString() ?? ''));
    for (const [at, [name]] of pictures.entries())
      expect(manifest.files.find((it) => it.name === name)?.sha256).toBe(snapshots[at]?.sha256);
    const others = await unzipped(await download(reader, 'evidence'));
    expect([...others.keys()].filter((it) => it.startsWith('snapshots/'))).toHaveLength(2);
    expect(others.get('manifest.json')?.toString()).toContain('"what": "snapshots"');
  });

  it('what is deleted of a vehicle takes its snapshots of that time along, and the vehicle all of them', async () => {
    const { dealer, host } = depot;
    const { incident_id, vehicle_id, read } = await pressedSos();
    const { incident_id: ofOthers, read: readOthers } = await pressedSos();
    const [old, recent, elsewhere] = [
      await attached(dealer, incident_id, jpegOf(), { time: '2026-11-18T12:00:00.000Z' }),
      await attached(dealer, incident_id, jpegOf()),
      await attached(dealer, ofOthers, jpegOf(), { vehicle_id }),
    ];
    const isThere = async () => {
      const names = await filesIn(host.data);
      return [old, recent, elsewhere].map((it) => names.includes(`${it.snapshot_id}.jpg`));
    };
    expect(await isThere()).toEqual([true, true, true]);
    const query = { from: '2026-11-18T00:00:00.000Z', to: '2026-11-19T00:00:00.000Z' };
    const deleted = await dealer.ask(vehicleRoutes.deleteData, { params: { vehicle: vehicle_id }, query });
    expect(deleted.snapshots).toBe(1);
    expect(await isThere()).toEqual([false, true, true]);
    const { snapshots, timeline } = await read();
    expect(snapshots).toEqual([recent]);
    expect(timeline.items.map((it) => it.snapshot_id)).not.toContain(old.snapshot_id);

    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id }, query: { purge: 'true' } });
    expect(await isThere()).toEqual([false, false, false]);
    expect((await readOthers()).snapshots).toEqual([]);
  });
});

describe('the vehicles that can be seen on a snapshot', () => {
  async function startOfNone() {
    const vehicle_id = await depot.addVehicle(`${700 + vehicles++}`);
    const other = await depot.addVehicle(`${700 + vehicles++}`);
    const body = { title: 'Oil on the road', lat: 57, lon: 24 };
    const { incident_id } = await depot.anna.ask(incidentRoutes.create, { body });
    const read = () => depot.dealer.ask(incidentRoutes.get, { params: { incident_id } });
    const left = async () => {
      const { snapshots, timeline } = await read();
      const ids = snapshots.map((it) => it.snapshot_id);
      expect(timeline.items.flatMap((it) => it.snapshot_id ?? [])).toEqual(ids.toReversed());
      return ids;
    };
    return { vehicle_id, other, incident_id, left };
  }

  it('what is deleted of a vehicle takes along the snapshots that show it, of incidents without a vehicle too', async () => {
    const { anna, dealer, host } = depot;
    const { vehicle_id, other, incident_id, left } = await startOfNone();
    const both = { shown_vehicle_ids: [other, vehicle_id, other].join() };
    const old = await attached(anna, incident_id, jpegOf(), { ...both, time: '2026-11-18T12:00:00.000Z' });
    const recent = await attached(anna, incident_id, jpegOf(), { ...both, note: 'The lorry turns' });
    const ofOther = await attached(anna, incident_id, jpegOf(), { shown_vehicle_ids: other });
    const ofNone = await attached(anna, incident_id, jpegOf());
    expect(old.vehicle_id).toBeNull();
    const stream = await openStream(host.url, anna, { query: 'topics=incident' });
    onTestFinished(() => stream.close());

    const query = { from: '2026-11-18T00:00:00.000Z', to: '2026-11-19T00:00:00.000Z' };
    const asked = { params: { vehicle: vehicle_id }, query };
    expect(await dealer.ask(vehicleRoutes.data, asked)).toMatchObject({ snapshots: 1 });
    expect(await dealer.ask(vehicleRoutes.deleteData, asked)).toMatchObject({ snapshots: 1 });
    expect(await dealer.ask(vehicleRoutes.data, asked)).toMatchObject({ snapshots: 0 });
    const { items } = await dealer.ask(auditRoutes.list, { query: { entity_id: vehicle_id } });
    expect(items.map((it) => it.before)).toContainEqual(expect.objectContaining({ snapshots: 1 }));
    const kept = [recent, ofOther, ofNone].map((it) => it.snapshot_id);
    expect(await left()).toEqual(kept);
    const { data } = await stream.next('incident', (it) => it.incident_id === incident_id);
    expect(data).toMatchObject({ snapshots: kept.map((snapshot_id) => ({ snapshot_id })) });

    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: vehicle_id }, query: { purge: 'true' } });
    expect(await left()).toEqual(kept.slice(1));
    const isLess = (it: object) => 'snapshots' in it && (it.snapshots as unknown[]).length === 2;
    const { data: less } = await stream.next('incident', isLess);
    expect(less).toMatchObject({ snapshots: kept.slice(1).map((snapshot_id) => ({ snapshot_id })) });
    const files = await filesIn(host.data);
    const isThere = [old, recent, ofOther, ofNone].map((it) => files.includes(`${it.snapshot_id}.jpg`));
    expect(isThere).toEqual([false, false, true, true]);
  });

  it('a snapshot that shows a vehicle that its sender does not see, or too many, is refused', async () => {
    const { anna, dealer } = depot;
    const { vehicle_id, other, incident_id, left } = await startOfNone();
    await dealer.ask(groupRoutes.removeVehicle, { params: { vehicle: other, group_id: depot.group_id } });
    const codeOf = async (ids: string[]) =>
      (await post(anna, incident_id, jpegOf(), { shown_vehicle_ids: ids.join() })).code;
    expect(await codeOf([vehicle_id, other])).toBe('not_found');
    expect(await codeOf([vehicle_id, randomUUID()])).toBe('not_found');
    const { snapshotVehicles } = incidentBounds;
    expect(await codeOf(Array.from({ length: snapshotVehicles + 1 }, () => vehicle_id))).toBe(
      'validation_failed',
    );
    expect(await left()).toEqual([]);
    await attached(anna, incident_id, jpegOf(), {
      shown_vehicle_ids: Array.from({ length: snapshotVehicles }, () => vehicle_id).join(),
    });
    expect(await left()).toHaveLength(1);
  });
});

describe('the files of snapshots', () => {
  const query = { kind: 'map', time: '2026-11-20T12:00:00.000Z' };

  async function startAlone(options: Parameters<typeof startTestHost>[0] = {}) {
    const host = await startTestHost(options);
    onTestFinished(() => host.close());
    const dealer = await host.login();
    const body = { title: 'Oil on the road', lat: 57, lon: 24 };
    return { host, dealer, open: () => dealer.ask(incidentRoutes.create, { body }) };
  }

  it('a file whose record was not stored before the host was killed is deleted at its start, and a lost file is said to be', async () => {
    const clock = createFakeClock();
    const { host, dealer, open } = await startAlone({ clock });
    const { incident_id } = await open();
    const kept = await attached(dealer, incident_id, jpegOf(), query);
    const lost = await attached(dealer, incident_id, jpegOf(), query);
    await host.stop();
    const folder = join(host.data, 'snapshots');
    for (const name of [`${randomUUID()}.jpg`, `${randomUUID()}.jpg.tmp`])
      await writeFile(join(folder, name), jpegOf());
    await rm(join(folder, `${lost.snapshot_id}.jpg`));
    const again = await startTestHost({ clock, data: host.data });
    onTestFinished(() => again.close());
    expect(await filesIn(host.data)).toEqual([`${kept.snapshot_id}.jpg`]);
    const who = await again.login();
    const pictures = [kept, lost].map((it) => fetched(again, who, pictureOf(incident_id, it.snapshot_id)));
    expect((await Promise.all(pictures)).map((it) => it.status)).toEqual([200, 410]);
    expect((await fetched(again, who, `/api/v1/incidents/${incident_id}/pdf`)).status).toBe(200);
    const evidence = await fetched(again, who, `/api/v1/incidents/${incident_id}/evidence`);
    const manifest = (await unzipped(Buffer.from(await evidence.arrayBuffer()))).get('manifest.json');
    expect(manifest?.toString()).toContain(`${lost.snapshot_id}: The file is missing on the server`);
  });

  it('a snapshot that is under way while data are deleted that it shows is not stored after them', async () => {
    let reads = (space: { free: number; total: number }) => Promise.resolve(space);
    const { host, dealer, open } = await startAlone({
      // Nothing else reads it meanwhile.
      clock: createFakeClock(),
      readSpace: () => reads({ free: 1e12, total: 1e12 }),
    });
    const { incident_id } = await open();
    const add = (terminal_id: string) =>
      dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id } });
    const [{ vehicle_id: shown }, { vehicle_id: about }] = [await add('1'), await add('2')];
    const { time } = query;
    /** Sends a snapshot and holds it before it is written, until `meanwhile` is over. */
    async function sentDuring(meanwhile: () => Promise<unknown>): Promise<Answer> {
      const [held, over] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
      reads = async (space) => {
        reads = (it) => Promise.resolve(it);
        held.resolve(true);
        await over.promise;
        return space;
      };
      const answer = post(dealer, incident_id, jpegOf(), { vehicle_id: about, shown_vehicle_ids: shown });
      await held.promise;
      await meanwhile();
      over.resolve(true);
      return answer;
    }
    const erase = (vehicle: string, from: string, to: string) => () =>
      dealer.ask(vehicleRoutes.deleteData, { params: { vehicle }, query: { from, to } });
    const purge = (vehicle: string) => () =>
      dealer.ask(vehicleRoutes.remove, { params: { vehicle }, query: { purge: 'true' } });
    const end = '2026-11-21T00:00:00.000Z';

    const kept = await sentDuring(erase(about, '2026-11-19T00:00:00.000Z', time));
    const refused = [
      await sentDuring(erase(about, time, end)),
      await sentDuring(erase(shown, time, end)),
      await sentDuring(purge(shown)),
    ];
    expect([kept, ...refused].map((it) => `${it.status} ${it.code ?? ''}`)).toEqual([
      ...['201 ', '409 in_use', '409 in_use', '404 not_found'],
    ]);
    const incident = await dealer.ask(incidentRoutes.get, { params: { incident_id } });
    expect(incident.snapshots).toEqual([]);
    expect(await filesIn(host.data)).toEqual([]);
    await attached(dealer, incident_id, jpegOf(), { vehicle_id: about });
  });

  it('a snapshot whose record cannot be stored leaves no file, and none is written to a disk without space', async () => {
    let fault: Error | null = null;
    let free = 1e12;
    const { host, dealer, open } = await startAlone({
      writeFault: () => fault,
      readSpace: () => Promise.resolve({ free, total: 1e12 }),
    });
    const { incident_id } = await open();
    const about = { ...query, time: '2025-11-20T12:00:00.000Z' };
    fault = new DiskFull('The disk that holds the data folder is full.');
    expect((await post(dealer, incident_id, jpegOf(), about)).code).toBe('disk_full');
    fault = null;
    free = 1_000;
    expect((await post(dealer, incident_id, jpegOf(), about)).code).toBe('disk_full');
    expect(await filesIn(host.data)).toEqual([]);
    free = 1e12;
    await attached(dealer, incident_id, jpegOf(), about);
    expect(await filesIn(host.data)).toHaveLength(1);
  });

  it('a snapshot goes with its incident when that is kept no longer', async () => {
    const clock = createFakeClock();
    const { host, dealer, open } = await startAlone({ clock });
    await dealer.ask(serviceRoutes.patchSettings, { body: { events_retention_days: 1 } });
    const { incident_id } = await open();
    const { incident_id: openStill } = await open();
    await attached(dealer, incident_id, jpegOf(), query);
    const { snapshot_id } = await attached(dealer, openStill, jpegOf(), query);
    await dealer.ask(incidentRoutes.close, { params: { incident_id }, body: { reason: 'Test' } });
    // Some days pass before the first time that old data are deleted.
    clock.sleep(3 * 86_400_000);
    clock.advance(60_000);
    await expect.poll(() => filesIn(host.data)).toEqual([`${snapshot_id}.jpg`]);
    expect(await readFile(join(host.data, 'snapshots', `${snapshot_id}.jpg`))).toEqual(jpegOf());
  });
});
