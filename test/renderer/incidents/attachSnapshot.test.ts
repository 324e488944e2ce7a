import { expect, it, onTestFinished, vi } from 'vitest';
import { snapshotRoutes } from '../../../server/contract/incidentSnapshots.ts';
import { incidentBounds } from '../../../server/contract/quotas.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { incidentCommands } from '../../../renderer/incidents/incidentCommands.ts';
import { createToastStore, type Toast } from '../../../renderer/ui/toastStore.ts';
import { sampleIncident } from '../samples.ts';

/** The History screen with a track of a vehicle that has an incident; `seen` can be distinguished on its map. */
function setUp(seen: string[]) {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 8, height: 8, close: () => undefined }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => ({ drawImage: () => undefined });
      convertToBlob = () => Promise.resolve(new Blob(['jpeg']));
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const map = {
    vehicles: { seen: () => seen },
    takePicture(caption: () => object) {
      caption();
      return Promise.resolve(new Blob(['png']));
    },
  };
  const stateOf = (state: object) => ({ getState: () => state });
  const time = { date: () => '', clock: () => '', zone: () => '', timeZone: 'UTC' };
  const incident = sampleIncident({ vehicle_id: 'v1' });
  const request = vi.fn<(route: object, asked: object) => Promise<object>>(() => Promise.resolve({}));
  const toasts = createToastStore();
  const app = {
    ...{ request, toasts, t: createTranslate(createI18n()), asOf: () => 0, api: { request } },
    user: { user_id: 'u1', role: 'dealer', rights: {} },
    map: { current: () => map },
    navigation: { store: stateOf({ place: 'history' }) },
    connection: stateOf({ link: { phase: 'live' } }),
    settings: stateOf({ settings: null, time }),
    incidents: { store: stateOf({ byId: new Map([[incident.incident_id, incident]]) }) },
    history: {
      store: stateOf({ vehicleId: 'v1', chosenIds: ['v1', 'v2'] }),
      player: { store: stateOf({ at: Date.parse('2026-11-20T12:00:00Z') }) },
    },
  } as unknown as AppContext;
  const said = new Promise<Toast | null>((resolve) => toasts.subscribe(({ toast }) => resolve(toast)));
  const attach = async () => {
    incidentCommands.find((it) => it.id === 'attach_map_picture')?.run(app, '');
    return await said;
  };
  return { attach, request };
}

it('a picture of the map is attached with the vehicles that can be distinguished on it, and those whose tracks it shows', async () => {
  const { attach, request } = setUp(['v7', 'v1']);
  expect(await attach()).toMatchObject({ text: 'Attached to incident #1', isTrouble: false });
  expect(request).toHaveBeenCalledExactlyOnceWith(
    snapshotRoutes.attach,
    expect.objectContaining({
      query: { kind: 'map', time: '2026-11-20T12:00:00.000Z', shown_vehicle_ids: ['v7', 'v1', 'v2'] },
    }),
  );
});

it('a picture of more vehicles than the server keeps with it is not attached', async () => {
  const { attach, request } = setUp(
    Array.from({ length: incidentBounds.snapshotVehicles }, (_, at) => `s${at}`),
  );
  expect(await attach()).toMatchObject({
    ...{ text: 'More than 200 vehicles are visible on the map. Zoom in, then attach it.', isTrouble: true },
  });
  expect(request).not.toHaveBeenCalled();
});
