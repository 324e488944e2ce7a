import { Crosshair, Hexagon, Minus, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { distanceText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { describeVehicle } from '../live/describeVehicle.ts';
import { feedMap } from '../live/feedMap.ts';
import { createConsoleMap } from '../map/consoleMap.ts';
import { MapView } from '../map/MapView.tsx';
import type { ScaleBar } from '../map/scaleBar.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { StaleBand } from '../ui/StaleBand.tsx';
import { openFence, resumeDrawing, startDrawing } from './drawingActions.ts';
import { mayDrawFences } from './fenceRights.ts';
import { startFraming } from './framing.ts';
import '../live/MapPane.css';

const INSETS = { top: 12, right: 56, bottom: 44, left: 12 };
/** All of Europe, until there is something to look at. */
const EVERYWHERE = { lat: 48, lon: 12, zoom: 3.2 };

/** The geofences in their own colours, under the vehicles as they drive. */
export function FenceMap() {
  const desk = useDesk();
  const say = useText();
  const [faults, setFaults] = useState({ count: 0, last: '' });
  const [scale, setScale] = useState<ScaleBar | null>(null);
  const drawing = useStore(desk.view, (state) => state.fenceEdit !== null);

  const mount = useCallback(
    (element: HTMLElement) => {
      const map = createConsoleMap(element, {
        describe: (vehicle) => describeVehicle(desk, vehicle),
        view: EVERYWHERE,
        label: desk.say('map.title'),
        insets: INSETS,
        onFault: (error) => setFaults(({ count }) => ({ count: count + 1, last: error.message })),
      });
      map.geofences.showColours(true);
      const undo = [
        desk.map.attach(map),
        feedMap(desk, map, element),
        startFraming(desk, map),
        map.camera.onScale(setScale),
        map.onPick((pick) => {
          if (pick.kind === 'geofence') openFence(desk, pick.id);
        }),
      ];
      resumeDrawing(desk, map);
      return () => {
        undo.forEach((run) => run());
        map.destroy();
      };
    },
    [desk],
  );

  return (
    <section className="map-pane" aria-label={say('map.title')} data-pane tabIndex={-1}>
      <StaleBand>{say('map.stale')}</StaleBand>
      {faults.count > 0 && (
        <div className="map-pane__fault" title={faults.last}>
          {say('map.faults', { count: faults.count })}
        </div>
      )}
      <div className="map-pane__map">
        <MapView mount={mount} />
        <div className="map-tools" role="toolbar" aria-label={say('map.tools')} aria-orientation="vertical">
          <IconButton
            icon={Plus}
            label={say('map.zoom_in')}
            keycap="+"
            onPress={() => desk.map.current()?.camera.zoomIn()}
          />
          <IconButton
            icon={Minus}
            label={say('map.zoom_out')}
            keycap="−"
            onPress={() => desk.map.current()?.camera.zoomOut()}
          />
          <IconButton
            icon={Crosshair}
            label={say('map.fit')}
            keycap="0"
            onPress={() => desk.map.current()?.fitVehicles()}
          />
          {mayDrawFences(desk) && (
            <IconButton
              icon={Hexagon}
              label={say('map.draw')}
              keycap="G"
              pressed={drawing}
              onPress={() => {
                if (!drawing) startDrawing(desk, 'polygon');
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
