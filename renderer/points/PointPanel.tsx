import { ExternalLink, MapPin, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { formatDecimal, formatDms, formatPlusCode } from '../../server/contract/coordinates.ts';
import { meetsLevel } from '../../server/contract/rights.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatShortAge } from '../format/age.ts';
import { compassPoint } from '../format/compass.ts';
import { formatDistance } from '../format/numbers.ts';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { VisitsDock } from '../geofences/preview/VisitsDock.tsx';
import { useT } from '../i18n/useT.ts';
import type { MapPoint } from '../live/liveView.ts';
import { showVehicle } from '../live/liveActions.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { statusWords } from '../telemetry/statusWords.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Choice } from '../ui/Select.tsx';
import { closePoint, drawCircleAt, nearestVehicles, startMeasuring } from './mapPoint.ts';
import './PointPanel.css';

/** What is known of a place on the map: its address, who is near, who was. */
export function PointPanel({ point }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  useStore(app.places.edition, (state) => state.number);
  const place = app.places.at(point.lat, point.lon);
  const { user } = app;
  const maySeePast = user.role === 'dealer' || meetsLevel(user.rights.geofences, 'read');
  return (
    <section className="pane point-panel" aria-label={t('point.title')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <Icon of={MapPin} />
        <h2 className="fill ellipsis" title={point.name ?? place}>
          {point.name ?? place}
        </h2>
        <IconButton
          icon={X}
          size="small"
          label={t('ui.close')}
          keycap="Esc"
          onPress={() => closePoint(app)}
        />
      </div>
      <div className="point-panel__body" tabIndex={0} role="group" aria-label={t('point.title')}>
        {point.name !== null && place !== point.name && <p className="quiet point-panel__place">{place}</p>}
        <Notations point={point} />
        <NearestVehicles point={point} />
        {maySeePast && <PassedHere point={point} />}
        <div className="point-panel__section point-panel__actions">
          {mayDrawGeofences(app) && (
            <Button size="small" onPress={() => drawCircleAt(app, point)}>
              {t('point.draw_circle')}
            </Button>
          )}
          <Button size="small" keycap="M" onPress={() => startMeasuring(app, 'line')}>
            {t('command.measure_distance')}
          </Button>
          <Button size="small" onPress={() => startMeasuring(app, 'polygon')}>
            {t('command.measure_area')}
          </Button>
          <a
            className="in-accent point-panel__elsewhere"
            href={`https://www.openstreetmap.org/?mlat=${point.lat.toFixed(6)}&mlon=${point.lon.toFixed(6)}#map=17/${point.lat.toFixed(5)}/${point.lon.toFixed(5)}`}
            target="_blank"
            rel="noreferrer"
          >
            <Icon of={ExternalLink} /> {t('point.open_elsewhere')}
          </a>
        </div>
      </div>
    </section>
  );
}

function Notations({ point }: { point: MapPoint }) {
  const t = useT();
  const notations = [
    ['decimal', formatDecimal(point)],
    ['dms', formatDms(point)],
    ['plus_code', formatPlusCode(point)],
  ] as const;
  return (
    <dl className="point-panel__section point-panel__notations">
      {notations.map(([id, text]) => (
        <div key={id}>
          <dt className="quiet">{t(`point.${id}`)}</dt>
          <dd className="fill">{text}</dd>
          <CopyButton text={text} />
        </div>
      ))}
    </dl>
  );
}

const SHOWN = 5;

function NearestVehicles({ point }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  // Every second: distances of vehicles that drive.
  const now = useNow();
  const byVehicle = useStore(app.statuses, (state) => state.byVehicle);
  const nearest = nearestVehicles(point, fixesOf(app), SHOWN);
  return (
    <div className="point-panel__section">
      <h3>{t('point.nearest')}</h3>
      {nearest.length === 0 && <p className="quiet">{t('point.no_vehicles')}</p>}
      <ul className="point-panel__vehicles">
        {nearest.map(({ vehicleId, distanceM, bearingDeg }) => {
          const vehicle = app.vehicles.store.getState().byId.get(vehicleId);
          const live = app.positions.get(vehicleId);
          const status = byVehicle.get(vehicleId) ?? 'never';
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
                  severity={null}
                  acknowledged={false}
                  course={live?.fix?.course_deg ?? null}
                  size={20}
                />
                <span className="strong ellipsis">{vehicle?.name}</span>
                <span className="point-panel__distance">
                  {formatDistance(distanceM)} {compassPoint(bearingDeg)}
                </span>
                <span className="quiet ellipsis">{statusWords(status, live, t)}</span>
                <span className="quiet point-panel__age">{age}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function* fixesOf(app: ReturnType<typeof useAppContext>) {
  for (const vehicleId of app.vehicles.store.getState().byId.keys()) {
    const fix = app.positions.get(vehicleId)?.fix;
    if (fix != null) yield [vehicleId, fix] as const;
  }
}

const RADII = ['50', '100', '200', '500', '1000'] as const;

/** Which vehicles passed the place, and when. */
function PassedHere({ point }: { point: MapPoint }) {
  const app = useAppContext();
  const t = useT();
  const [radius, setRadius] = useState<(typeof RADII)[number]>('100');
  const { lat, lon } = point;
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
    app.map.current()?.point.setRadius(Number(radius));
    return () => app.map.current()?.point.setRadius(null);
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
      <VisitsDock subject={subject} isRoomy onDemand title={t('point.passed')} />
    </>
  );
}
