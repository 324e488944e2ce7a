import { expect, test } from 'vitest';
import { initialVehicleState, readState, writeState } from '../../../server/telemetry/vehicleState.ts';

const since = { vehicle_id: 'v', time_ms: 1_000, lat: 1, lon: 2 };
const idle = { event_id: 'e', time_ms: 1_000, received_ms: 1_100, rule_version: null, threshold_s: 60 };

test('a state written by 0.1.0 keeps its episodes, and what was reported of dwells, idling and silences', () => {
  const state = readState(
    JSON.stringify({
      form: 1,
      state: {
        speed_kmh: 0,
        episodes: { base: { limit_kmh: 50, limit_from: 'geofence' } },
        dwells: { yard: { since_ms: 1_000, told: ['depot', 'rule'] } },
        idling: { since, last_ms: 2_000, told: { depot: idle } },
        offline: { contact_ms: 3_000, told: ['depot'] },
      },
    }),
  );
  expect(state).toMatchObject({
    episodes: { base: { limit_kmh: 50, limit_source: 'geofence' } },
    dwells: { yard: { since_ms: 1_000, reported: ['depot', 'rule'] } },
    idling: { last_ms: 2_000, reported: { depot: idle } },
    offline: { contact_ms: 3_000, reported: ['depot'] },
  });
  if (state === null) throw new Error('the state was not read');
  expect(readState(writeState(state))).toEqual(state);
});

test('a state of another form is not read, an empty one of 0.1.0 is', () => {
  expect(readState(JSON.stringify({ form: 3, state: {} }))).toBeNull();
  expect(readState(JSON.stringify({ form: 1, state: { speed_kmh: null } }))).toEqual(initialVehicleState);
});
