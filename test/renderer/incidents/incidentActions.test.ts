import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../server/contract/incidents.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { ApiProblem } from '../../../renderer/api/errors.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import {
  ChangedByOthers,
  changeIncident,
  closeIncident,
  openIncidentOfAlarm,
} from '../../../renderer/incidents/incidentActions.ts';
import { countUnowned, incidentOf, openIncidents } from '../../../renderer/incidents/openIncidents.ts';
import { createResourceStore } from '../../../renderer/resources/resourceStore.ts';
import { sampleIncident, sampleNotification } from '../samples.ts';

const conflict = new ApiProblem(
  { type: '', title: '', status: 409, detail: '', code: 'version_conflict', request_id: 'r' },
  null,
);

/** A server that holds one incident and minds its version. */
function setUp(onServer: Incident) {
  const incidents = createResourceStore<Incident>({
    idOf: (it) => it.incident_id,
    isOlder: (a, b) => a.revision < b.revision,
  });
  let stored = onServer;
  const next = (change: Partial<Incident>) => {
    stored = { ...stored, ...change, version: stored.version + 1, revision: stored.revision + 1 };
    return stored;
  };
  const app = {
    user: { user_id: 'u1', login: 'k.weiss', name: 'K. Weiss' },
    incidents,
    api: {
      request: (
        route: unknown,
        asked: { body?: Partial<Incident> & { reason: string }; ifMatch?: number },
      ) => {
        if (route === incidentRoutes.get) return Promise.resolve({ ...stored, timeline: {} });
        if (asked.ifMatch !== stored.version) return Promise.reject(conflict);
        const change =
          route === incidentRoutes.close
            ? { status: 'closed' as const, close_reason: asked.body?.reason ?? null }
            : (asked.body ?? {});
        return Promise.resolve(next(change));
      },
    },
  } as unknown as AppContext;
  return { app, incidents, known: () => incidents.store.getState().byId.get('i1'), stored: () => stored };
}

describe('the incident of an alarm', () => {
  it('the incident of an alarm is opened once while its key is held down', () => {
    const { incidents } = setUp(sampleIncident());
    let asked = 0;
    const request = () => {
      asked++;
      return new Promise(() => undefined);
    };
    const app = { incidents, api: { request } } as unknown as AppContext;
    for (let times = 0; times < 3; times++) openIncidentOfAlarm(app, sampleNotification());
    openIncidentOfAlarm(app, sampleNotification({ notification_id: 'n2' }));
    expect(asked).toBe(2);
  });
});

describe('an incident that several people work on', () => {
  it('a change is shown at once and stands over a change by somebody else of another field', async () => {
    const base = sampleIncident();
    const theirs = { ...base, status: 'waiting' as const, version: 2, revision: 2 };
    const { app, known, stored } = setUp(theirs);
    const done = changeIncident(app, base, { owner_id: 'u1' });
    expect(known()).toMatchObject({ owner_id: 'u1', owner_name: 'K. Weiss' });
    await done;
    expect(stored()).toMatchObject({ owner_id: 'u1', status: 'waiting', version: 3 });
    expect(known()).toMatchObject({ owner_id: 'u1', status: 'waiting' });
  });

  it('a change of what somebody else has changed meanwhile is not sent, and theirs is shown', async () => {
    const base = sampleIncident();
    const theirs = { ...base, owner_id: 'u2', owner_name: 'A. Novak', version: 2, revision: 2 };
    const { app, known, stored } = setUp(theirs);
    await expect(changeIncident(app, base, { owner_id: 'u1' })).rejects.toThrow(ChangedByOthers);
    expect(stored()).toEqual(theirs);
    expect(known()).toMatchObject({ owner_id: 'u2', owner_name: 'A. Novak' });
  });

  it('a change that the server refuses is taken back', async () => {
    const base = sampleIncident();
    const { app, known } = setUp(base);
    const refusal = new ApiProblem({ ...conflict.problem, code: 'not_found' }, null);
    app.api.request = () => Promise.reject(refusal);
    await expect(changeIncident(app, base, { status: 'waiting' })).rejects.toBe(refusal);
    expect(known()).toEqual(base);
  });

  it('an incident is closed over a note of somebody else, and not a second time', async () => {
    const base = sampleIncident();
    const { app, known, stored } = setUp({ ...base, title: 'SOS, gate B', version: 2, revision: 2 });
    await closeIncident(app, base, { reason: 'Resolved', note: null });
    expect(known()).toMatchObject({ status: 'closed', title: 'SOS, gate B' });
    const again = closeIncident(app, base, { reason: 'Test', note: null });
    await expect(again).rejects.toThrow(ChangedByOthers);
    expect(stored().close_reason).toBe('Resolved');
  });
});

describe('the open incidents', () => {
  const byId = new Map(
    [
      sampleIncident({ incident_id: 'a', number: 1, owner_id: 'u1', severity: 'alarm' }),
      sampleIncident({ incident_id: 'b', number: 2, severity: 'warning', notification_ids: ['n1', 'n2'] }),
      sampleIncident({ incident_id: 'c', number: 3, severity: 'alarm' }),
      sampleIncident({ incident_id: 'd', number: 4, severity: 'alarm' }),
      sampleIncident({ incident_id: 'e', number: 5, status: 'closed', notification_ids: ['n3'] }),
    ].map((it) => [it.incident_id, it]),
  );

  it('the open incidents begin with what nobody owns, then the gravest, then the oldest', () => {
    expect(openIncidents(byId).map((it) => it.number)).toEqual([3, 4, 2, 1]);
    expect(countUnowned(byId)).toBe(3);
  });

  it('an alarm leads to its incident, closed or not', () => {
    expect(incidentOf(byId, 'n2')?.number).toBe(2);
    expect(incidentOf(byId, 'n3')?.number).toBe(5);
    expect(incidentOf(byId, 'n9')).toBeUndefined();
  });
});
