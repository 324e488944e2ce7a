import { z } from 'zod';
import type { AppContext } from '../appContext/appContext.ts';
import { GeofenceChip } from '../geofences/GeofenceChip.tsx';
import { useT } from '../i18n/useT.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import type { TextStorage } from '../platform/platform.ts';
import { locateSelected, showVehicle } from './liveActions.ts';
import { MapPane, type MapScreen } from './MapPane.tsx';

const LIVE: MapScreen = {
  view: (app) => readView(app.platform.storage),
  start(app, map) {
    const { storage } = app.platform;
    const undo = [
      startFirstView(app, map),
      map.camera.onView(() => storage.write('map.view', JSON.stringify(map.camera.view()))),
      map.onPick((pick) => {
        if (pick.kind === 'vehicle') showVehicle(app, pick.id);
        else app.view.setState({ geozoneId: pick.kind === 'geofence' ? pick.id : null });
      }),
    ];
    return () => undo.forEach((run) => run());
  },
};

/** The map of the Live screen, which begins where it looked last. */
export function LiveMap() {
  const t = useT();
  return (
    <MapPane
      screen={LIVE}
      legend={
        <>
          <span>{t('map.vector')}</span>
          <span className="faint">·</span>
          <span>{t('map.dots')}</span>
        </>
      }
    >
      <GeofenceChip />
    </MapPane>
  );
}

const storedView = z.object({
  lat: z.number().min(-85).max(85),
  lon: z.number().min(-180).max(180),
  zoom: z.number().min(0).max(24),
});

function readView(storage: TextStorage): z.infer<typeof storedView> | null {
  try {
    const parsed = storedView.safeParse(JSON.parse(storage.read('map.view') ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** One vehicle alone is shown with its town round it. */
const TOWN_ZOOM = 13;

/**
 * Where the map looks when the screen opens: at the vehicle that the address names, else where it looked last, else
 * at all vehicles as soon as their places are known.
 */
function startFirstView(app: AppContext, map: ConsoleMap): () => void {
  const named = app.view.getState().vehicleId;
  if (named === null && readView(app.platform.storage) !== null) return () => undefined;
  let stopWaiting: () => void = () => undefined;

  const look = () => {
    if (named !== null) {
      if (app.positions.get(named)?.fix == null) return;
      locateSelected(app);
    } else {
      const places = [...app.vehicles.store.getState().byId.keys()].flatMap(
        (id) => app.positions.get(id)?.fix ?? [],
      );
      if (places.length === 0) return;
      const only = places.length === 1 ? places[0] : undefined;
      if (only === undefined) map.camera.fitAll(places);
      else map.camera.flyTo(only, TOWN_ZOOM);
    }
    stopWaiting();
  };
  const undo = [app.positions.onFrame(look), app.vehicles.store.subscribe(look)];
  stopWaiting = () => undo.forEach((run) => run());
  look();
  return () => stopWaiting();
}
