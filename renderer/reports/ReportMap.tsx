import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { historyRoutes } from '../../server/contract/history.ts';
import { unpackTracks } from '../../server/contract/packedTracks.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { isAbort } from '../api/errors.ts';
import { formatAge } from '../format/age.ts';
import { openHistory } from '../history/historyActions.ts';
import { type PastTrack, toPastTrack } from '../history/pastTrack.ts';
import { trackPicture } from '../history/trackPicture.ts';
import { useT } from '../i18n/useT.ts';
import { lastView } from '../live/lastView.ts';
import { toMapGeofence } from '../live/mapGeofences.ts';
import { reportLayers, type ReportLayers } from '../map/mapLayers.ts';
import type { MapOf } from '../map/consoleMap.ts';
import { MapView, type MapDeclaration } from '../map/MapView.tsx';
import type { LatLon } from '../map/geodesy.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import type { RowSubject } from './reportSubjects.ts';

/** A row as the map shows it. */
export interface MapSubject extends RowSubject {
  vehicleName: string;
  /** When it was, in words. */
  when: string;
  /** Above it a track is drawn as too fast; null: none. */
  limitKmh: number | null;
  /** Drawn in its own colour. */
  geozoneId: string | null;
}

/** What happened at one moment is shown with what came before and after it. */
const SHORT_MS = 600_000;
const AROUND_MS = 300_000;
const DAY_MS = 86_400_000;
const CLOSEST_ZOOM = 16;
const EVERYWHERE = { lat: 48, lon: 12, zoom: 3.2 };
/** What could not be drawn is reported on Live, where the map is the main work. */
const reportedOnLive = () => undefined;

/** Long tracks are drawn as fine as a map of a few hundred pixels shows them; metres. */
const toleranceM = (lengthMs: number): number =>
  lengthMs <= 2 * DAY_MS ? 5 : lengthMs <= 31 * DAY_MS ? 25 : 100;

type TrackState = { phase: 'loading' } | { phase: 'failed' } | { phase: 'ready'; track: PastTrack | null };

export interface ReportMapProps {
  /** Of the selected row; null for none. */
  subject: MapSubject | null;
  /** Where the rows of the report are, as long as none is selected. */
  places: readonly LatLon[];
}

/** The map beside a report's rows: where they are, or where the vehicle of the selected row went or stood. */
export function ReportMap({ subject, places }: ReportMapProps) {
  const app = useAppContext();
  const t = useT();
  return (
    <section className="report-map" aria-label={t('reports.map')} data-pane tabIndex={-1}>
      {subject !== null && (
        <div className="pane__head">
          <span className="ellipsis fill" title={`${subject.vehicleName} · ${subject.when}`}>
            <span className="strong">{subject.vehicleName}</span>{' '}
            <span className="quiet">{subject.when}</span>
          </span>
          <Button
            size="small"
            keycap="H"
            onPress={() => openHistory(app, subject.vehicleId, subject.opensAt, subject)}
          >
            {t('rail.history')}
          </Button>
        </div>
      )}
      {subject === null && places.length === 0 ? (
        <Notice title={t('reports.map_none')}>{t('reports.map_none_how')}</Notice>
      ) : (
        <PlacesMap subject={subject} places={places} />
      )}
    </section>
  );
}

function PlacesMap({ subject, places }: ReportMapProps) {
  const app = useAppContext();
  const t = useT();
  const [map, setMap] = useState<MapOf<ReportLayers> | null>(null);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const thresholds = useStore(app.settings, (state) => state.numbers);
  const track = useTrack(subject);
  const declare = useCallback(
    (): MapDeclaration<ReportLayers> => ({
      view: lastView(app) ?? EVERYWHERE,
      layers: reportLayers,
      start(made) {
        setMap(made);
        return () => setMap(null);
      },
    }),
    [app],
  );
  const geozoneId = subject?.geozoneId ?? null;
  useEffect(() => {
    map?.geofences.set([...geofences.values()].map(toMapGeofence));
    map?.geofences.select(geozoneId);
  }, [map, geofences, geozoneId]);
  useEffect(() => {
    if (map === null || subject !== null) return;
    map.track.set([], []);
    map.dots.mark(null);
    map.dots.set(places);
    map.camera.fitAll(places, CLOSEST_ZOOM);
  }, [map, subject, places]);
  useEffect(() => {
    if (map === null || subject === null || track.phase !== 'ready') return;
    const { lines, stops } =
      track.track === null
        ? { lines: [], stops: [] }
        : trackPicture(track.track, around(subject), {
            limitKmh: subject.limitKmh,
            thresholds,
            colourBy: 'speed',
          });
    const passed = lines.flatMap(({ coordinates }) =>
      coordinates.map(([lon, lat]): LatLon => ({ lat, lon })),
    );
    map.track.set(
      lines,
      stops.map((it) => ({ ...it, label: formatAge(it.to - it.from) })),
    );
    const own = subject.place === null ? [] : [subject.place];
    const ends = [passed[0], passed.at(-1)].filter((it) => it !== undefined);
    map.dots.set(own.length > 0 ? [] : ends);
    map.dots.mark(subject.place);
    map.camera.fitAll([...passed, ...stops, ...own], CLOSEST_ZOOM);
  }, [map, track, subject, thresholds]);
  const isEmpty = track.phase === 'ready' && track.track === null && subject?.place == null;
  return (
    <div className="report-map__map">
      <MapView declare={declare} label={t('reports.map')} onFault={reportedOnLive} />
      <p className="report-map__state" role="status">
        {subject === null
          ? null
          : track.phase === 'loading'
            ? t('reports.map_loading')
            : track.phase === 'failed'
              ? t('reports.map_failed')
              : isEmpty && t('reports.map_empty')}
      </p>
    </div>
  );
}

function around({ from, to }: RowSubject): { from: number; to: number } {
  return to - from < SHORT_MS ? { from: from - AROUND_MS, to: to + AROUND_MS } : { from, to };
}

/** The track of what a row is about, as it is drawn; null: the depot has none. */
function useTrack(subject: RowSubject | null): TrackState {
  const app = useAppContext();
  const [state, setState] = useState<{ of: RowSubject | null; found: TrackState } | null>(null);
  useEffect(() => {
    if (subject === null) return;
    const abort = new AbortController();
    readTrack(app, subject, abort.signal).then(
      (track) => setState({ of: subject, found: { phase: 'ready', track } }),
      (error: unknown) => {
        if (!abort.signal.aborted && !isAbort(error)) setState({ of: subject, found: { phase: 'failed' } });
      },
    );
    return () => abort.abort();
  }, [app, subject]);
  return state !== null && state.of === subject ? state.found : LOADING;
}

const LOADING: TrackState = { phase: 'loading' };

async function readTrack(
  { api, settings }: AppContext,
  subject: RowSubject,
  signal: AbortSignal,
): Promise<PastTrack | null> {
  const { from, to } = around(subject);
  const response = await api.open(historyRoutes.tracks, {
    body: {
      vehicle_ids: [subject.vehicleId],
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      tolerance_m: toleranceM(to - from),
      values: [],
    },
    signal,
  });
  const [columns] = unpackTracks(new Uint8Array(await response.arrayBuffer()));
  signal.throwIfAborted();
  if (columns === undefined || columns.time_ms.length === 0) return null;
  return toPastTrack(columns, settings.getState().numbers.idle_speed_kmh);
}
