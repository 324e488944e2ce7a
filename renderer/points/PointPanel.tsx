import { ExternalLink, Link, MapPin, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { formatDecimal, formatDms, formatPlusCode } from '../../server/contract/coordinates.ts';
import { placeRoutes, type Place } from '../../server/contract/places.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useNow } from '../appContext/useMoment.ts';
import { formatShortAge } from '../format/age.ts';
import { compassPoint } from '../format/compass.ts';
import { formatDistance } from '../format/numbers.ts';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { isInside } from '../geofences/insideWatch.ts';
import { VisitsDock } from '../geofences/preview/VisitsDock.tsx';
import { useT } from '../i18n/useT.ts';
import { IncidentButton } from '../incidents/IncidentButton.tsx';
import { shareLink } from '../navigation/appLinks.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { showVehicle } from '../live/liveActions.ts';
import { writePoint, type MapPoint } from '../live/liveView.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { statusWords } from '../telemetry/statusWords.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { Choice } from '../ui/Select.tsx';
import {
  closePoint,
  drawCircleAt,
  linksTo,
  maySeePassages,
  nearestVehicles,
  startMeasuring,
} from './mapPoint.ts';
import './PointPanel.css';

/** What is as near as a house to its street needs no distance. */
const AT_M = 20;

/** What is known of a point on the map: its address, who is near, who passed. */
export function PointPanel({ point }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  const panel = useFocus(point);
  const isLost = useLostSince() !== null;
  const address = useAddress(point);
  const found = address.phase === 'known' ? address.place : null;
  const title = point.name ?? found?.text ?? formatDecimal(point);
  return (
    <section ref={panel} className="pane point-panel" aria-label={t('point.title')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <Icon of={MapPin} />
        <h2 className="fill ellipsis" title={title}>
          {title}
        </h2>
        <IconButton
          icon={Link}
          size="small"
          label={t('point.copy_link')}
          keycap="Ctrl C"
          onPress={() => void app.platform.copyText(shareLink(app, 'live', { point: writePoint(point) }))}
        />
        <MenuButton
          label={t('point.open_elsewhere')}
          entries={linksTo(point).map(({ id, href }) => ({ id, label: t(`point.open_${id}`), href }))}
        >
          <Icon of={ExternalLink} />
        </MenuButton>
        <IconButton
          icon={X}
          size="small"
          label={t('ui.close')}
          keycap="Esc"
          onPress={() => closePoint(app)}
        />
      </div>
      <div className="point-panel__body" tabIndex={0} role="group" aria-label={t('point.title')}>
        <div className="point-panel__section">
          <p className="quiet" role="status">
            {address.phase !== 'known'
              ? t(`point.address_${address.phase}`)
              : found === null
                ? t('point.address_none')
                : found.distance_m < AT_M
                  ? found.text
                  : t('point.address_at', {
                      address: found.text,
                      distance: formatDistance(found.distance_m),
                    })}
          </p>
          <Surroundings point={point} />
          <ul className="point-panel__notations">
            {[formatDecimal(point), formatDms(point), formatPlusCode(point)].map((text) => (
              <li key={text}>
                <span className="fill">{text}</span>
                <CopyButton text={text} />
              </li>
            ))}
          </ul>
        </div>
        <NearestVehicles point={point} />
        {maySeePassages(app) && <PassedHere key={writePoint(point)} point={point} />}
        <div className="point-panel__section point-panel__actions">
          {mayWrite(app.user, 'notifications') && <IncidentButton notification={null} disabled={isLost} />}
          {mayDrawGeofences(app) && (
            <Button size="small" onPress={() => drawCircleAt(app, point)}>
              {t('point.draw_circle')}
            </Button>
          )}
          <Button size="small" keycap="M" onPress={() => startMeasuring(app, 'line')}>
            {t('command.measure_distance')}
          </Button>
          <Button size="small" keycap="Shift M" onPress={() => startMeasuring(app, 'polygon')}>
            {t('command.measure_area')}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Brings the focus into the panel for each point, and back to the map when the panel goes with it. */
function useFocus(point: MapPoint) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), [point]);
  useLayoutEffect(() => {
    const element = panel.current;
    return () => {
      if (element?.contains(document.activeElement) === true)
        document.querySelector<HTMLElement>('.live .maplibregl-canvas')?.focus();
    };
  }, []);
  return panel;
}

type Address = { phase: 'known'; place: Place | null } | { phase: 'searching' | 'failed' };

/** The address by the map files, asked for at once: a neighbour's would not do here. */
function useAddress({ lat, lon }: MapPoint): Address {
  const { api } = useAppContext();
  const [answer, setAnswer] = useState<Address & { of: string }>({ phase: 'searching', of: '' });
  const of = `${lat} ${lon}`;
  useEffect(() => {
    const abort = new AbortController();
    api.request(placeRoutes.reverse, { query: { lat, lon }, signal: abort.signal }).then(
      ({ place }) => setAnswer({ phase: 'known', place, of }),
      () => {
        if (!abort.signal.aborted) setAnswer({ phase: 'failed', of });
      },
    );
    return () => abort.abort();
  }, [api, lat, lon, of]);
  return answer.of === of ? answer : { phase: 'searching' };
}

/** The geofences round the point. */
function Surroundings({ point: { lat, lon } }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  const byId = useStore(app.geofences.store, (state) => state.byId);
  const names = useMemo(
    () => [...byId.values()].filter((it) => isInside(it, lat, lon)).map(({ name }) => name),
    [byId, lat, lon],
  );
  if (names.length === 0) return null;
  return <p className="quiet">{t('point.in_geofences', { names: names.join(', ') })}</p>;
}

const SHOWN = 5;

function NearestVehicles({ point }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  // Every second, not with each position that comes.
  const now = useNow();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const nearest = nearestVehicles(point, vehicles.keys(), (id) => app.positions.get(id)?.fix ?? null, SHOWN);
  const isLost = useLostSince() !== null;
  return (
    <div className="point-panel__section">
      <h3>{t('point.nearest')}</h3>
      {nearest.length === 0 && <p className="quiet">{t('point.no_vehicles')}</p>}
      <ul>
        {nearest.map(({ vehicleId, distanceM, bearingDeg }) => {
          const live = app.positions.get(vehicleId);
          const status = app.statuses.getState().byVehicle.get(vehicleId) ?? 'never';
          const needs = app.attention.getState().byVehicle.get(vehicleId);
          const age = live?.fix == null ? '' : formatShortAge(now - Date.parse(live.fix.time));
          return (
            <li key={vehicleId}>
              <button
                type="button"
                className="point-panel__vehicle"
                onClick={() => showVehicle(app, vehicleId)}
              >
                <VehicleGlyph
                  state={status}
                  severity={needs?.severity ?? null}
                  acknowledged={needs?.acknowledged ?? false}
                  stale={isLost}
                  course={live?.fix?.course_deg ?? null}
                  size={20}
                />
                <span className="strong ellipsis">{vehicles.get(vehicleId)?.name}</span>
                <span className="point-panel__number">
                  {formatDistance(distanceM)} {compassPoint(bearingDeg)}
                </span>
                <span className="quiet ellipsis point-panel__status">{statusWords(status, live, t)}</span>
                <span className="quiet point-panel__number">{age}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const RADII = ['50', '100', '200', '500', '1000'] as const;

/** Which vehicles passed the point, and when. */
function PassedHere({ point }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  const [radius, setRadius] = useState<(typeof RADII)[number]>('100');
  const { lat, lon, period } = point;
  const subject = useMemo(
    () => ({
      geofence: {
        shape: 'circle' as const,
        geometry: { type: 'Point' as const, coordinates: [lon, lat] as [number, number] },
        radius_m: Number(radius),
        // Whoever was within it counts, however shortly.
        hysteresis_m: 0,
      },
    }),
    [lat, lon, radius],
  );
  useEffect(() => {
    app.view.setState({ pointRadiusM: Number(radius) });
    return () => app.view.setState({ pointRadiusM: null });
  }, [app, radius]);
  return (
    <>
      <div className="point-panel__section point-panel__radius">
        <span className="fill">{t('point.within')}</span>
        <Choice
          quiet
          label={t('point.within')}
          options={RADII.map((id) => ({ id, label: formatDistance(Number(id)) }))}
          value={radius}
          onChange={setRadius}
        />
      </div>
      <VisitsDock subject={subject} isRoomy onDemand passes {...(period === undefined ? {} : { period })} />
    </>
  );
}
