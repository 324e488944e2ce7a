import { Download, SquareDashed } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { mapRegionRoutes, type MapRegion, type RegionEstimate } from '../../server/contract/mapRegions.ts';
import type { MapArea } from '../../server/contract/maps.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatBytes, formatNumber } from '../format/numbers.ts';
import { numberOf } from '../geofences/form/geofenceDraft.ts';
import { useT } from '../i18n/useT.ts';
import { lastView } from '../live/lastView.ts';
import { area } from '../map/mapLayers.ts';
import { MapView, type MapDeclaration } from '../map/MapView.tsx';
import type { MapOf } from '../map/consoleMap.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { Choice } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { createRegionDownloads } from './regionDownloads.ts';
import './RegionDownload.css';

const LAYERS = { area };
const EDGES = ['west', 'south', 'east', 'north'] as const;
type Edges = Record<(typeof EDGES)[number], string>;
const NO_EDGES: Edges = { west: '', south: '', east: '', north: '' };
/** What can be chosen: towns, streets, house numbers. */
const ZOOMS = ['10', '12', '13', '14', '15'] as const;
/** The field that shows what is wrong with it. */
const URL_SHOWN = { fields: ['url'] };
const WHOLE_WORLD = { lat: 20, lon: 0, zoom: 0.5 };
const DAY_MS = 86_400_000;
/** What could not be drawn is reported on Live, where the map is the main work. */
const reportedOnLive = () => undefined;

/** A build of the planet is published each day under its date; today's may not be there yet. */
function suggestedUrl(now: number): string {
  const day = new Date(now - DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  return `https://build.protomaps.com/${day}.pmtiles`;
}

const edgesOf = (box: MapArea): Edges => ({
  west: String(box.west),
  south: String(box.south),
  east: String(box.east),
  north: String(box.north),
});

/** Null: not all of them are numbers that make a box. */
function areaOf(edges: Edges): MapArea | null {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = EDGES.map((edge) => numberOf(edges[edge]));
  const isBox = west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north;
  return isBox ? { west, south, east, north } : null;
}

/** A region of a map on another server, which the host copies; for dealers. */
export function RegionDownload() {
  const app = useAppContext();
  const t = useT();
  const [downloads] = useState(() => createRegionDownloads(app));
  useEffect(() => downloads.start(), [downloads]);
  const { regions } = useStore(downloads.store);
  const current = regions.find(({ phase }) => phase !== 'done');
  return (
    <section className="settings__section">
      <h2>{t('maps.region')}</h2>
      <p className="quiet">{t('maps.region_about')}</p>
      {current === undefined ? (
        <RegionForm onStarted={downloads.reload} />
      ) : (
        <RegionProgress region={current} onChanged={downloads.reload} />
      )}
    </section>
  );
}

function RegionForm({ onStarted }: { onStarted: () => void }) {
  const app = useAppContext();
  const t = useT();
  const map = useRef<MapOf<typeof LAYERS> | null>(null);
  const [url, setUrl] = useState(() => suggestedUrl(app.serverTime.now()));
  const [edges, setEdges] = useState(NO_EDGES);
  const [zoom, setZoom] = useState<(typeof ZOOMS)[number]>('15');
  const [name, setName] = useState('');
  const [isDrawing, setDrawing] = useState(false);
  const [estimate, setEstimate] = useState<RegionEstimate | null>(null);
  const { busy, sentence, faults, run } = useAction();
  const box = areaOf(edges);

  const declare = useCallback(
    (context: AppContext): MapDeclaration<typeof LAYERS> => ({
      view: lastView(context) ?? WHOLE_WORLD,
      layers: LAYERS,
      start(started) {
        map.current = started;
        return () => (map.current = null);
      },
    }),
    [],
  );
  /** What was estimated was of another box. */
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setEstimate(null);
    };
  const show = (next: Edges) => {
    setEdges(next);
    setEstimate(null);
    map.current?.area.set(areaOf(next));
  };
  const drawBox = () => {
    setDrawing(true);
    map.current?.area.draw((drawn) => {
      setDrawing(false);
      show(edgesOf(drawn));
    });
  };
  const asked = box === null ? null : { url: url.trim(), area: box, max_zoom: Number(zoom) };
  const ask = () =>
    asked !== null &&
    void run(async (counts) => {
      const found = await app.api.request(mapRegionRoutes.estimate, { body: asked });
      if (counts()) setEstimate(found);
    }, URL_SHOWN);
  const download = () =>
    asked !== null &&
    void run(async () => {
      const body = { ...asked, name: name.trim() };
      await app.api.request(mapRegionRoutes.start, { body });
      onStarted();
    }, URL_SHOWN);

  return (
    <Form faults={faults} onSubmit={ask}>
      <TextField
        label={t('maps.region_url')}
        hint={t('maps.region_url_hint')}
        value={url}
        onChange={changed(setUrl)}
        fault={faults['url'] ?? null}
        maxLength={2_000}
      />
      <div className="region-map">
        <MapView declare={declare} label={t('maps.region_map')} onFault={reportedOnLive} />
      </div>
      <div className="region-buttons">
        <Button icon={SquareDashed} onPress={drawBox} disabled={isDrawing}>
          {t(isDrawing ? 'maps.region_drawing' : 'maps.region_draw')}
        </Button>
        <Button onPress={() => map.current !== null && show(edgesOf(map.current.area.shown()))}>
          {t('maps.region_view')}
        </Button>
      </div>
      <div className="region-edges">
        {EDGES.map((edge) => (
          <TextField
            key={edge}
            label={t(`maps.region_${edge}`)}
            numeric
            value={edges[edge]}
            onChange={(value) => show({ ...edges, [edge]: value })}
            maxLength={10}
          />
        ))}
      </div>
      <div className="region-buttons">
        <Choice
          label={t('maps.region_zoom')}
          options={ZOOMS.map((id) => ({ id, label: t(`maps.region_zoom_${id}`) }))}
          value={zoom}
          onChange={changed(setZoom)}
        />
        <Button submits disabled={busy || asked === null || asked.url === ''}>
          {t(busy ? 'maps.region_estimating' : 'maps.region_estimate')}
        </Button>
      </div>
      {estimate !== null && (
        <>
          <p role="status">
            {t('maps.region_estimated', {
              tiles: formatNumber(estimate.tiles),
              bytes: formatBytes(estimate.bytes),
              transfer: formatBytes(estimate.transfer_bytes),
              free: formatBytes(estimate.free_bytes),
            })}
          </p>
          <p className="faint small">{estimate.licence === '' ? t('maps.no_licence') : estimate.licence}</p>
          <div className="map-path">
            <TextField label={t('maps.name')} value={name} onChange={setName} maxLength={120} />
            <Button
              kind="primary"
              icon={Download}
              disabled={busy || name.trim() === '' || estimate.bytes > estimate.free_bytes}
              onPress={download}
            >
              {t('maps.region_download')}
            </Button>
          </div>
        </>
      )}
      <Failure>{sentence}</Failure>
    </Form>
  );
}

function RegionProgress({ region, onChanged }: { region: MapRegion; onChanged: () => void }) {
  const { api } = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const { region_id, name, phase, received, bytes, fault, interruption } = region;
  const { fault_causes, interruption_causes } = region;
  const params = { region_id };
  const part = bytes === null ? 0 : received / bytes;
  const pause = (paused: boolean) =>
    void run(() => api.request(mapRegionRoutes.patch, { params, body: { paused } }).then(onChanged));
  const cancel = () => void run(() => api.request(mapRegionRoutes.cancel, { params }).then(onChanged));
  const progress = {
    percent: Math.floor(100 * part),
    received: formatBytes(received),
    bytes: formatBytes(bytes ?? 0),
  };
  return (
    <>
      <div className="region-progress">
        <span className="ellipsis strong">{name}</span>
        <Meter label={t('maps.region_progress')} value={part} />
        <span className="quiet" role="status">
          {t(`maps.region_${phase}`, progress)}
        </span>
        {(phase === 'listing' || phase === 'copying') && (
          <Button size="small" disabled={busy} onPress={() => pause(true)}>
            {t('maps.pause')}
          </Button>
        )}
        {phase === 'paused' && (
          <Button size="small" disabled={busy} onPress={() => pause(false)}>
            {t('maps.resume')}
          </Button>
        )}
        {phase === 'failed' && (
          <Button size="small" disabled={busy} onPress={() => pause(false)}>
            {t('maps.region_retry')}
          </Button>
        )}
        <Button size="small" disabled={busy} onPress={cancel}>
          {t('maps.cancel')}
        </Button>
      </div>
      {interruption !== null && (
        <p className="quiet small">
          {t('maps.region_waiting', {
            detail: detailText({ detail: interruption, causes: interruption_causes }, t),
          })}
        </p>
      )}
      <Failure>{fault === null ? null : detailText({ detail: fault, causes: fault_causes }, t)}</Failure>
      <Failure>{sentence}</Failure>
    </>
  );
}
