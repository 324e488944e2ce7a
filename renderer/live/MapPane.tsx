import { Crosshair, Hexagon, Minus, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { z } from 'zod';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { distanceText } from '../format/numbers.ts';
import { GeofenceChip } from '../geofences/GeofenceChip.tsx';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { startDrawing } from '../geofences/drawingActions.ts';
import { useT } from '../i18n/useT.ts';
import { createConsoleMap, type ConsoleMap } from '../map/consoleMap.ts';
import { MapView } from '../map/MapView.tsx';
import type { ScaleBar } from '../map/scaleBar.ts';
import type { TextStorage } from '../platform/platform.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { describeVehicle } from './describeVehicle.ts';
import { feedMap } from './feedMap.ts';
import { showVehicle } from './liveActions.ts';
import { startFirstView } from './firstView.ts';
import './MapPane.css';

/** Data blocks keep out of the tools at the right and the chip at the bottom. */
const INSETS = { top: 12, right: 56, bottom: 44, left: 12 };
/** All of Europe, until the vehicles are known. */
const EVERYWHERE = { lat: 48, lon: 12, zoom: 3.2 };

/** The map with its few tools at one edge and the scale at another. */
export function MapPane() {
  const app = useAppContext();
  const t = useT();
  const [faults, setFaults] = useState(0);
  const [lastFault, setLastFault] = useState('');
  const [scale, setScale] = useState<ScaleBar | null>(null);
  const drawing = useStore(app.view, (state) => state.geofenceEdit !== null);

  const mount = useCallback(
    (element: HTMLElement) => {
      const stored = readView(app.platform.storage);
      const map: ConsoleMap = createConsoleMap(element, {
        describe: (vehicle) => describeVehicle(app, vehicle),
        view: stored ?? EVERYWHERE,
        label: app.t('map.title'),
        insets: INSETS,
        onFault: (error) => {
          setFaults((count) => count + 1);
          setLastFault(error.message);
        },
      });
      const undo = [
        app.map.attach(map),
        feedMap(app, map, element),
        startFirstView(app, map, stored !== null),
        map.camera.onScale(setScale),
        map.camera.onView(() => app.platform.storage.write('map.view', JSON.stringify(map.camera.view()))),
        map.onPick((pick) => {
          if (pick.kind === 'vehicle') showVehicle(app, pick.id);
          else app.view.setState({ geozoneId: pick.kind === 'geofence' ? pick.id : null });
        }),
      ];
      return () => {
        undo.forEach((run) => run());
        map.destroy();
      };
    },
    [app],
  );

  return (
    <section className="map-pane" aria-label={t('map.title')} data-pane tabIndex={-1}>
      <StaleBanner>{t('map.stale')}</StaleBanner>
      {faults > 0 && (
        <div className="map-pane__fault" title={lastFault}>
          {t('map.faults', { count: faults })}
        </div>
      )}
      <div className="map-pane__map">
        <MapView mount={mount} />
        <div className="map-tools" role="toolbar" aria-label={t('map.tools')} aria-orientation="vertical">
          <IconButton
            icon={Plus}
            label={t('map.zoom_in')}
            keycap="+"
            onPress={() => app.map.current()?.camera.zoomIn()}
          />
          <IconButton
            icon={Minus}
            label={t('map.zoom_out')}
            keycap="−"
            onPress={() => app.map.current()?.camera.zoomOut()}
          />
          <IconButton
            icon={Crosshair}
            label={t('map.fit')}
            keycap="0"
            onPress={() => app.map.current()?.fitVehicles()}
          />
          {mayDrawGeofences(app) && (
            <IconButton
              icon={Hexagon}
              label={t('map.draw')}
              keycap="G"
              pressed={drawing}
              onPress={() => startDrawing(app, 'polygon')}
            />
          )}
        </div>
        <GeofenceChip />
        <div className="map-chip">
          {scale !== null && (
            <>
              <svg width={scale.lengthPx + 1} height={10} aria-hidden>
                <path d={`M.5 2v5.5h${scale.lengthPx}V2`} fill="none" stroke="currentColor" />
              </svg>
              <span>{distanceText(scale.lengthM).replace('.0 km', ' km')}</span>
              <span className="faint">|</span>
            </>
          )}
          <span>{t('map.vector')}</span>
          <span className="faint">·</span>
          <span>{t('map.dots')}</span>
        </div>
      </div>
    </section>
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
