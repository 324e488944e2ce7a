import { Maximize2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Position } from '../../../server/contract/positions.ts';
import type { Severity } from '../../../server/contract/rules.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { compassPoint } from '../../format/compass.ts';
import { formatSpeed } from '../../format/numbers.ts';
import { vehicles } from '../../map/mapLayers.ts';
import { MapView, type MapDeclaration } from '../../map/MapView.tsx';
import { trailOf } from '../../telemetry/trails.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useT } from '../../i18n/useT.ts';
import { followTrack } from './followTrack.ts';
import { placeAt } from './placeAt.ts';
import type { Playback } from './playback.ts';
import type { TrackLoad } from './readTrack.ts';
import './ClipMap.css';

export interface ClipMapProps {
  vehicleId: string;
  vehicleName: string;
  /** The span of the clips, milliseconds since 1970. */
  from: number;
  to: number;
  track: TrackLoad;
  limitKmh: number | null;
  severity: Severity | null;
  playback: Playback;
}

/** Street level, but not so near that the next corner is out of sight. */
const CLOSEST_ZOOM = 15;
const LAYERS = {
  vehicles: vehicles({
    describe: ({ name }) => ({ name, detail: null, alarm: null }),
    // There is one vehicle, and it is selected.
    describeRest: () => '',
    insets: { top: 8, right: 48, bottom: 40, left: 8 },
  }),
};
/** What could not be drawn is reported on Live, where the map is the main work. */
const reportedOnLive = () => undefined;

/** Where the vehicle was at the playhead; dragged along its track, it takes the clock with it. */
export function ClipMap(props: ClipMapProps) {
  const { vehicleId, vehicleName, from, to, track, limitKmh, severity, playback } = props;
  const app = useAppContext();
  const t = useT();
  const fixes = useMemo(
    () => (track.phase === 'ready' ? track.positions.filter((it) => it.valid) : []),
    [track],
  );

  const declare = useCallback(
    (): MapDeclaration<typeof LAYERS> => ({
      view: { lat: fixes[0]?.lat ?? 0, lon: fixes[0]?.lon ?? 0, zoom: CLOSEST_ZOOM },
      layers: LAYERS,
      start(map, element) {
        const alarm = severity === 'alarm' || severity === 'warning' ? severity : null;
        const show = () => {
          const place = placeAt(fixes, from + playback.store.getState().position * 1_000);
          if (place === null) {
            map.vehicles.update({ changed: [], removed: [vehicleId] });
            return;
          }
          const isOver = limitKmh !== null && (place.speedKmh ?? 0) > limitKmh;
          const changed = {
            id: vehicleId,
            name: vehicleName,
            lat: place.lat,
            lon: place.lon,
            course_deg: place.courseDeg,
            speed_kmh: place.speedKmh,
            state: (place.speedKmh ?? 0) < 1 ? ('stopped' as const) : ('moving' as const),
            severity: alarm,
            // In the colour of the alarm while it is so; the brackets stay.
            acknowledged: !isOver,
            label: alarm === null || !isOver ? null : { severity: alarm, at: 0 },
            stale: false,
          };
          map.vehicles.update({ changed: [changed], removed: [] });
        };
        map.vehicles.setTrail(
          vehicleId,
          trailOf(fixes).map(({ lat, lon, speedKmh }) => ({
            lat,
            lon,
            overLimit: limitKmh !== null && speedKmh !== null && speedKmh > limitKmh,
          })),
        );
        show();
        map.vehicles.select(vehicleId);
        map.camera.fitAll(fixes, CLOSEST_ZOOM);
        const undo = [
          playback.store.subscribe((state, before) => {
            if (state.position !== before.position) show();
          }),
          followTrack({ element, track: fixes, from, to, view: () => map.camera.view(), playback }),
        ];
        return () => undo.forEach((run) => run());
      },
    }),
    [fixes, from, to, limitKmh, playback, severity, vehicleId, vehicleName],
  );

  return (
    <div className="clip-map">
      {fixes.length > 0 ? (
        <>
          <MapView
            key={`${vehicleId} ${from}`}
            declare={declare}
            label={t('player.map')}
            onFault={reportedOnLive}
          />
          <PlaceChip track={fixes} from={from} playback={playback} />
        </>
      ) : (
        track.phase !== 'loading' && (
          <div className="clip-map__none hatch">
            <span className="clip-map__chip">
              {t(track.phase === 'failed' ? 'player.track_failed' : 'player.track_none')}
            </span>
          </div>
        )
      )}
      <div className="clip-map__tools">
        <IconButton
          icon={Maximize2}
          label={t('player.open_map')}
          onPress={() => app.navigation.go('live', { vehicle: vehicleId })}
        />
      </div>
    </div>
  );
}

/** Speed, course and place at the playhead, in words; once a second is enough to read. */
function PlaceChip({
  track,
  from,
  playback,
}: {
  track: readonly Position[];
  from: number;
  playback: Playback;
}) {
  const app = useAppContext();
  const seconds = useStore(playback.store, (state) => Math.round(state.position));
  useStore(app.places.edition, (state) => state.number);
  const place = placeAt(track, from + seconds * 1_000);
  if (place === null) return null;
  const words = [
    place.courseDeg === null ? '' : compassPoint(place.courseDeg),
    app.places.at(place.lat, place.lon),
  ]
    .filter((it) => it !== '')
    .join(' · ');
  return (
    <div className="clip-map__chip">
      {place.speedKmh !== null && <b>{formatSpeed(place.speedKmh)}</b>}
      <span className="ellipsis" title={words}>
        {words}
      </span>
    </div>
  );
}
