import { useEffect, useRef, useState } from 'react';
import { LocateFixed } from 'lucide-react';
import { useStore } from 'zustand';
import type { SharedVehicle } from '../../server/contract/shares.ts';
import { systemClock } from '../clock/clock.ts';
import { formatAge } from '../format/age.ts';
import { createDepotTime } from '../format/depotTime.ts';
import { formatSpeed } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { createMap } from '../map/consoleMap.ts';
import { vehicles } from '../map/mapLayers.ts';
import type { MapVehicle } from '../map/vehicles/vehicleFeatures.ts';
import { Button } from '../ui/Button.tsx';
import type { createSharedVehicle } from './sharedVehicle.ts';
import './sharePage.css';

const ID = 'shared';
const TICK_MS = 1_000;
/** Streets are distinguished; where there is no map of them, the towns around. */
const ZOOM = { streets: 14, world: 8 };

/** What somebody sees who was sent a link to a vehicle. */
export function SharePage({ shared }: { shared: ReturnType<typeof createSharedVehicle> }) {
  const t = useT();
  const { phase, vehicle, lost } = useStore(shared.store);
  useEffect(() => {
    document.title = vehicle?.vehicle ?? 'Fleetdeck';
  }, [vehicle?.vehicle]);
  if (phase === 'gone')
    return (
      <main className="share-page share-page--gone">
        <h1>{t('shared.gone')}</h1>
        <p className="quiet">{t('shared.gone_how')}</p>
      </main>
    );
  return (
    <main className="share-page">
      {vehicle !== null && <Facts vehicle={vehicle} lost={lost} />}
      {vehicle === null && lost && <p className="share-page__facts">{t('failure.no_response')}</p>}
      {vehicle !== null && <SharedMap shared={shared} name={vehicle.vehicle} />}
    </main>
  );
}

function Facts({ vehicle, lost }: { vehicle: SharedVehicle; lost: boolean }) {
  const t = useT();
  const now = useTick();
  const { position, status, address, plate, driver, withheld } = vehicle;
  const time = createDepotTime(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const state = [
    status === null ? null : t(`status.${status}`),
    position?.speed_kmh == null || status !== 'moving' ? null : formatSpeed(position.speed_kmh),
  ].filter((it) => it !== null);
  return (
    <section className="share-page__facts">
      <div className="share-page__depot quiet">{vehicle.depot}</div>
      <h1>
        {vehicle.vehicle} {plate !== null && <span className="quiet">{plate}</span>}
      </h1>
      {withheld ? (
        <p>{t('shared.withheld')}</p>
      ) : position === null ? (
        <p>{t('shared.never')}</p>
      ) : (
        <>
          <p className="strong">{state.join(' · ')}</p>
          {address !== null && <p>{address}</p>}
          <p className="quiet" title={time.utc(Date.parse(position.time))}>
            {t('shared.last_known', { age: formatAge(Math.max(0, now - Date.parse(position.time))) })}
          </p>
        </>
      )}
      {driver !== null && (
        <p>
          {t('vehicle.driver')}: {driver}
        </p>
      )}
      {lost && (
        <p className="share-page__lost" role="status">
          {t('shared.lost')}
        </p>
      )}
      <p className="faint small">
        {t('shared.until', { moment: time.moment(Date.parse(vehicle.expires_at), now) })}
      </p>
    </section>
  );
}

function SharedMap({ shared, name }: { shared: ReturnType<typeof createSharedVehicle>; name: string }) {
  const t = useT();
  const element = useRef<HTMLDivElement>(null);
  /** It stays in the middle until whoever looks moves the map. */
  const [follows, setFollows] = useState(true);
  const followed = useRef(true);
  const centre = useRef<() => void>(() => undefined);
  const label = t('shared.map', { name });
  useEffect(() => {
    if (element.current === null) return undefined;
    const layers = {
      vehicles: vehicles({
        describe: () => ({ name, detail: null, alarm: null }),
        describeRest: () => '',
        insets: { top: 0, right: 0, bottom: 0, left: 0 },
      }),
    };
    const map = createMap(element.current, {
      layers,
      view: { lat: 0, lon: 0, zoom: 1 },
      files: shared.files,
      label,
      language: document.documentElement.lang,
      // What could not be drawn is seen to be missing; there is nobody here to report it to.
      onFault: () => undefined,
    });
    let isPlaced = false;
    const draw = () => {
      const { vehicle, lost, trail, maps } = shared.store.getState();
      const place = mapVehicle(vehicle, lost);
      map.vehicles.update({ changed: place === null ? [] : [place], removed: place === null ? [ID] : [] });
      map.vehicles.setTrail(
        ID,
        trail.map(({ lat, lon }) => ({ lat, lon, overLimit: false })),
      );
      if (place === null || !followed.current) return;
      const { lat, lon } = place;
      const isMapped = maps.some(
        ({ area }) => lat >= area.south && lat <= area.north && lon >= area.west && lon <= area.east,
      );
      const zoom = isMapped ? ZOOM.streets : ZOOM.world;
      if (isPlaced && map.camera.view().zoom >= zoom) map.camera.flyTo({ lat, lon }, map.camera.view().zoom);
      else map.camera.setView({ lat, lon, zoom });
      isPlaced = true;
    };
    centre.current = draw;
    draw();
    const stop = shared.store.subscribe(draw);
    return () => {
      stop();
      map.destroy();
    };
  }, [shared, name, label]);
  const follow = (on: boolean) => {
    followed.current = on;
    setFollows(on);
    if (on) centre.current();
  };
  return (
    <div className="share-page__map">
      <div
        ref={element}
        className="share-page__ground"
        onPointerDown={() => follow(false)}
        onWheel={() => follow(false)}
        onKeyDown={({ key }) => key !== 'Tab' && follow(false)}
      />
      {!follows && (
        <div className="share-page__centre">
          <Button icon={LocateFixed} onPress={() => follow(true)}>
            {t('command.locate')}
          </Button>
        </div>
      )}
    </div>
  );
}

function mapVehicle(vehicle: SharedVehicle | null, lost: boolean): MapVehicle | null {
  if (vehicle === null || vehicle.position === null || vehicle.status === null) return null;
  const { lat, lon, course_deg, speed_kmh } = vehicle.position;
  return {
    id: ID,
    name: vehicle.vehicle,
    lat,
    lon,
    course_deg,
    speed_kmh,
    state: vehicle.status,
    severity: null,
    acknowledged: false,
    label: null,
    stale: lost,
  };
}

/** This computer's time, moving once a second. */
function useTick(): number {
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => systemClock.after(TICK_MS, () => setNow(systemClock.now())), [now]);
  return now;
}
