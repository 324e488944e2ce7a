import { expect, it, onTestFinished } from 'vitest';
import { eventRoutes } from '../../server/contract/events.ts';
import { positionRoutes } from '../../server/contract/positions.ts';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { userRoutes } from '../../server/contract/users.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { openStream } from '../support/streamReader.ts';
import { startTestHost } from '../support/testHost.ts';

it('an SOS requests video on each channel automatically, and none where there is no camera', async () => {
  const host = await startTestHost({
    users: [
      { login: 'clips', rights: { video: 'read', notifications: 'none' } },
      { login: 'alarms', rights: { video: 'read', notifications: 'read' } },
    ],
  });
  onTestFinished(() => host.close());
  const dealer = await host.login();
  const [clips, alarms] = [await host.login('clips'), await host.login('alarms')];
  const { items: rules } = await dealer.ask(ruleRoutes.list);
  const rule = rules.find((it) => it.event_kind === 'sos');
  expect(rule?.video).toEqual({ before_s: 15, after_s: 15 });

  const add = (name: string, group_ids: string[]) =>
    dealer.ask(vehicleRoutes.create, { body: { terminal_id: name, name, group_ids } });
  const [ofClips, ofAlarms] = [await clips.ask(userRoutes.me), await alarms.ask(userRoutes.me)];
  const bus = await add('bus', [...ofClips.group_ids, ...ofAlarms.group_ids]);
  const van = await add('van', []);
  // Off line, so that nothing is fetched; with both streams, for all that is known.
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: {
      vehicle_id: bus.vehicle_id,
      kind: 'jt1078',
      channels: [
        { channel: 1, name: 'Front' },
        { channel: 2, name: 'Cabin' },
      ],
    },
  });
  const streams = await Promise.all(
    [clips, alarms].map((caller) => openStream(host.url, caller, { query: 'topics=task' })),
  );
  const time = new Date(Date.now() - 60_000).toISOString();
  await dealer.ask(positionRoutes.post, {
    body: {
      positions: [bus, van].map(({ vehicle_id }) => ({ vehicle_id, time, lat: 1, lon: 2, alarms: ['sos'] })),
    },
  });

  const { items: events } = await dealer.ask(eventRoutes.list, { query: { kind: 'sos' } });
  const eventOf = (vehicle: typeof bus) =>
    events.find((it) => it.vehicle_id === vehicle.vehicle_id)?.event_id ?? '';
  const ordered = await dealer.ask(videoRoutes.tasks, { query: { event_id: eventOf(bus) } });
  expect(ordered.items.map((it) => `${it.channel} ${it.stream ?? ''}`).toSorted()).toEqual([
    '1 main',
    '1 sub',
    '2 main',
    '2 sub',
  ]);
  for (const task of ordered.items) expect(task).toMatchObject({ profile_id, rule_id: rule?.rule_id });
  const mains = ordered.items.filter((it) => it.stream === 'main').map((it) => it.task_id);
  expect(ordered.items.flatMap((it) => it.main_task_id ?? []).toSorted()).toEqual(mains.toSorted());
  expect((await dealer.ask(videoRoutes.tasks, { query: { event_id: eventOf(van) } })).items).toEqual([]);
  expect((await dealer.ask(videoRoutes.tasks)).items).toHaveLength(4);

  // A user who may not read notifications does not learn which rule it was.
  for (const [stream, published] of [
    [streams[0], null],
    [streams[1], rule?.rule_id],
  ] as const) {
    const { data } = (await stream?.next('task')) ?? {};
    expect(data).toMatchObject({ vehicle_id: bus.vehicle_id, rule_id: published });
    stream?.close();
  }
});
