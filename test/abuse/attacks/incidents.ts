import { incidentBounds } from '../../../server/contract/quotas.ts';
import { always, type Call, type Field, type OperationAttack } from '../attack.ts';
import { unknownId } from '../depot.ts';

const path = '/api/v1/incidents';
const longNote = 'x'.repeat(2_000);

interface Made {
  incident_id?: string;
  notification_ids?: string[];
}

/** Opens an incident, of the first vehicle, by a dealer who takes no part. */
async function open({ keeper, depot }: Field, more: object = {}): Promise<string> {
  const vehicle_id = depot.vehicles[0]?.vehicle_id;
  const { body } = await keeper.post(path, { title: 'Flat tyre', vehicle_id, ...more });
  return (body as Made | undefined)?.incident_id ?? unknownId;
}

/** One with a timeline of as many notes as a keeper may write in a minute. */
async function long(field: Field): Promise<string> {
  const incident_id = await open(field);
  for (let at = 0; at < 50; at++) await field.keeper.post(`${path}/${incident_id}/notes`, { text: longNote });
  return incident_id;
}

const ofOne = (
  operation: string,
  does: string,
  make: (field: Field) => Promise<string>,
  call: (field: Field, at: number) => Call = () => ({}),
): OperationAttack => ({
  ...{ operation, does },
  async calls(field) {
    const incident_id = await make(field);
    return (at) => {
      const { params, ...rest } = call(field, at);
      return { params: { incident_id, ...params }, ...rest };
    };
  },
});

const alarm = ({ depot }: Field, at: number) => ({
  params: { notification_id: depot.notification_ids[at % depot.notification_ids.length] ?? unknownId },
});
const clip = ({ depot }: Field, at: number) => ({
  params: { task_id: depot.task_ids[at % depot.task_ids.length] ?? unknownId },
});

const largestSnapshot = {
  query: { kind: 'map', time: '2025-11-20T12:00:00Z' },
  body: 'x'.repeat(incidentBounds.snapshotBytes),
  headers: { 'Content-Type': 'image/jpeg' },
};
const ofSnapshot = () => ({ params: { snapshot_id: unknownId } });

export const incidentAttacks: readonly OperationAttack[] = [
  {
    operation: 'listIncidents',
    does: 'a page of 1,000, of words that are in none',
    async calls(field) {
      await Promise.all(Array.from({ length: 20 }, () => open(field, { note: longNote })));
      return () => ({ query: { limit: 1_000, q: 'a b c d e f g h i j k l m n o p q r s t u v w x y z' } });
    },
  },
  {
    operation: 'createIncident',
    does: 'of a vehicle and a moment, which is looked up in its track, with the longest note',
    calls: always(({ depot }) => ({
      body: {
        ...{ title: 'x'.repeat(120), vehicle_id: depot.vehicles[0]?.vehicle_id, note: longNote },
        time: new Date(depot.now_ms - 3_600_000).toISOString(),
      },
    })),
  },
  ofOne('getIncident', 'one with a long timeline', long),
  ofOne('getIncidentPdf', 'one with a long timeline', long),
  ofOne('exportIncidentEvidence', 'one with a long timeline', long),
  ofOne('listIncidentTimeline', 'a page of 1,000', long, () => ({ query: { limit: 1_000 } })),
  ofOne('listIncidentOwners', 'a page of 1,000', open, () => ({ query: { limit: 1_000 } })),
  ofOne('patchIncident', 'another title each time', open, (_, at) => ({
    body: { title: `${at}`.padEnd(120, 'x') },
  })),
  {
    operation: 'closeIncident',
    does: 'with the longest note; each can be closed once',
    async calls(field) {
      const ids = await Promise.all(Array.from({ length: 40 }, () => open(field)));
      return (at) => ({
        params: { incident_id: ids[at % ids.length] ?? unknownId },
        body: { reason: 'Resolved', note: longNote },
      });
    },
  },
  {
    operation: 'reopenIncident',
    does: 'with the longest note; each can be reopened once',
    async calls(field) {
      const ids = await Promise.all(Array.from({ length: 40 }, () => open(field)));
      await Promise.all(ids.map((id) => field.keeper.post(`${path}/${id}/close`, { reason: 'Resolved' })));
      return (at) => ({
        params: { incident_id: ids[at % ids.length] ?? unknownId },
        body: { note: longNote },
      });
    },
  },
  ofOne('addIncidentNote', 'the longest note', open, () => ({ body: { text: longNote } })),
  {
    operation: 'tickIncidentItem',
    does: 'in and out',
    async calls({ keeper, depot }) {
      const { body } = await keeper.get(`${path}?vehicle=${depot.vehicles[0]?.vehicle_id ?? ''}`);
      const ofSos = (body as { items: { incident_id: string; checklist: unknown[] }[] }).items;
      const incident_id = ofSos.find((it) => it.checklist.length > 0)?.incident_id ?? unknownId;
      return (at) => ({ params: { incident_id, item_id: '1' }, body: { done: at % 2 === 0 } });
    },
  },
  ofOne('attachIncidentAlarm', 'one after another, which belong to others', open, alarm),
  ofOne('detachIncidentAlarm', 'one after another', open, alarm),
  ofOne('attachIncidentClip', 'one after another', open, clip),
  ofOne('detachIncidentClip', 'one after another', open, clip),
  ofOne('attachIncidentSnapshot', 'of the largest size, which are no JPEG', open, () => largestSnapshot),
  ofOne('getIncidentSnapshot', 'the same again and again', open, ofSnapshot),
  ofOne('removeIncidentSnapshot', 'one that is not there', open, ofSnapshot),
];
