import { expect, it } from 'vitest';
import { incidentsAbout } from '../../../renderer/incidents/openIncidents.ts';
import type { Incident } from '../../../server/contract/incidents.ts';

const incident = (number: number, part: Partial<Incident> = {}) => {
  const plain = { status: 'open', severity: 'alarm', owner_id: null, vehicle_id: null };
  return { number, ...plain, task_ids: [], notification_ids: [], ...part } as unknown as Incident;
};

it('a picture belongs to the incident of its clip or alarm, then of its vehicle, then to those of this user, and to no closed one', () => {
  const all = [
    incident(1),
    incident(2, { owner_id: 'me' }),
    incident(3, { vehicle_id: 'v1' }),
    incident(4, { vehicle_id: 'v1', status: 'closed' }),
    incident(5, { task_ids: ['clip'] }),
    incident(6, { notification_ids: ['alarm'], owner_id: 'me' }),
    incident(7, { vehicle_id: 'v2', owner_id: 'other' }),
  ];
  const byId = new Map(all.map((it) => [String(it.number), it]));
  const about = (taskIds: string[], notificationId: string | null, vehicleId: string | null) =>
    incidentsAbout(byId, { taskIds, notificationId, vehicleId }, 'me').map((it) => it.number);
  expect(about(['clip'], 'alarm', 'v1')).toEqual([5, 6, 3, 2]);
  expect(about([], null, 'v1')).toEqual([3, 2, 6]);
  expect(about([], null, null)).toEqual([2, 6]);
});
