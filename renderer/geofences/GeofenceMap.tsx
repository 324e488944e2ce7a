import { Crosshair, Hexagon, Minus, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { distanceText } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { describeVehicle } from '../live/describeVehicle.ts';
import { feedMap } from '../live/feedMap.ts';
import { createConsoleMap } from '../map/consoleMap.ts';
import { MapView } from '../map/MapView.tsx';
import type { ScaleBar } from '../map/scaleBar.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { openGeofence, resumeDrawing, startDrawing } from './drawingActions.ts';
import { mayDrawGeofences } from './geofenceRights.ts';
import { startFraming } from './framing.ts';
import '../live/MapPane.css';

const INSETS = { top: 12, right: 56, bottom: 44, left: 12 };
/** All of Europe, until there is something to look at. */
const EVERYWHERE = { lat: 48, lon: 12, zoom: 3.2 };

/** The geofences in their own colours, under the vehicles as they drive. */
export function GeofenceMap() {
  const app = useAppContext();
  const t = useT();
  const [faults, setFaults] = useState({ count: 0, last: '' });
  const [scale, setScale] = useState<ScaleBar | null>(null);
  const drawing = useStore(app.view, (state) => state.geofenceEdit !== null);

  const mount = useCallback(
    (element: HTMLElement) => {
      const map = createConsoleMap(element, {
        describe: (vehicle) => describeVehicle(app, vehicle),
        view: EVERYWHERE,
        label: app.t('map.title'),
        insets: INSETS,
        onFault: (error) => setFaults(({ count }) => ({ count: count + 1, last: error.message })),
      });
      map.geofences.showColours(true);
      const undo = [
        app.map.attach(map),
        feedMap(app, map, element),
        startFraming(app, map),
        map.camera.onScale(setScale),
        map.onPick((pick) => {
          if (pick.kind === 'geofence') openGeofence(app, pick.id);
        }),
      ];
      resumeDrawing(app, map);
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
      {faults.count > 0 && (
        <div className="map-pane__fault" title={faults.last}>
          {t('map.faults', { count: faults.count })}
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
              onPress={() => {
                if (!drawing) startDrawing(app, 'polygon');
              }}
            />
          )}
        </div>
        {scale !== null && (
          <div className="map-chip">
            <svg width={scale.lengthPx + 1} height={10} aria-hidden>
              <path d={`M.5 2v5.5h${scale.lengthPx}V2`} fill="none" stroke="currentColor" />
            </svg>
            <span>{distanceText(scale.lengthM).replace('.0 km', ' km')}</span>
          </div>
        )}
      </div>
    </section>
  );
}
