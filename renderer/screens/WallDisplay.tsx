import { Component, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { Expand } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { AppContext } from '../appContext/appContext.ts';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import { createMapFeed } from '../live/feedMap.ts';
import { MapPane, type MapScreen } from '../live/MapPane.tsx';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { useAlarmWords } from '../notifications/alarmLabels.ts';
import { awaitingAck, openRows } from '../notifications/openRows.ts';
import { compareRows } from '../notifications/queueOrder.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { SeverityMark, severityTone } from '../ui/SeverityMark.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { followNewestAlarm, keepFresh } from '../windows/wallFocus.ts';
import { HealthBanner } from './HealthBanner.tsx';
import { Clock, ConnectionField } from './TopBar.tsx';
import { WallCameras } from './WallCameras.tsx';
import './WallDisplay.css';

/** The alarms, the map and the newest video for the wall of a control room. Nothing on it can be changed. */
export function WallDisplay() {
  return (
    <Recovering>
      <Wall />
    </Recovering>
  );
}

function Wall() {
  const app = useAppContext();
  const t = useT();
  const depot = useStore(app.settings, (state) => state.settings?.depot_name ?? '');
  useEffect(() => app.platform.keepAwake(), [app]);
  useEffect(() => {
    const isQuiet = () =>
      document.fullscreenElement === null &&
      app.connection.getState().link.phase === 'live' &&
      openRows(app).every(({ severity }) => severity !== 'alarm');
    return keepFresh(app.clock, isQuiet, () => window.location.reload());
  }, [app]);
  return (
    <div className="wall">
      <header className="wall__bar">
        <h1>{depot}</h1>
        <span className="fill" />
        <span className="wall__tool">
          <IconButton icon={Expand} label={t('wall.fill')} onPress={() => app.platform.fillScreen(true)} />
        </span>
        <ConnectionField />
        <Clock />
      </header>
      <HealthBanner />
      <main className="wall__main">
        <div className="wall__left">
          <div className="wall__map">
            <WallMap />
          </div>
          <WallCameras />
        </div>
        <WallQueue />
      </main>
    </div>
  );
}

const WALL: MapScreen = {
  start(app, map) {
    const undo = [followNewestAlarm(app, (newest) => lookAt(app, map, newest)), fitOnce(app, map)];
    return () => undo.forEach((run) => run());
  },
};

function WallMap() {
  const app = useAppContext();
  const feed = useMemo(() => createMapFeed(app, false), [app]);
  return <MapPane screen={WALL} feed={feed} />;
}

function lookAt(app: AppContext, map: ConsoleMap, newest: Notification | null): void {
  const vehicleId = newest?.vehicle_id ?? null;
  app.view.setState({ vehicleId, notificationId: newest?.notification_id ?? null });
  map.camera.follow(vehicleId === null ? [] : [vehicleId]);
  if (newest === null) {
    map.vehicles.fit();
    return;
  }
  const place = app.positions.get(vehicleId ?? '')?.fix;
  if (place != null) map.camera.flyTo(place);
  else if (newest.lat !== null && newest.lon !== null) map.camera.flyTo({ lat: newest.lat, lon: newest.lon });
}

/** As soon as the places of vehicles are known, all of them are shown. Returns its end. */
function fitOnce(app: AppContext, map: ConsoleMap): () => void {
  const stop = app.positions.onFrame(() => {
    stop();
    if (app.view.getState().vehicleId === null) map.vehicles.fit();
  });
  return stop;
}

/** What stands in place of rows, by how far the reading is. */
const EMPTY = { loading: 'queue.loading', ready: 'queue.empty', failed: 'queue.failed' } as const;

/** More cannot be read from afar; how many there are stands below. */
const MOST_ROWS = 24;

function WallQueue() {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.notifications.store);
  const waiting = useStore(app.acks.store, (state) => state.waiting);
  const snoozed = useStore(app.snoozed, (state) => state.byId);
  const shownId = useStore(app.view, (state) => state.notificationId);
  const list = useRef<HTMLOListElement>(null);
  const open = useMemo(
    () => [...byId.values()].filter(awaitingAck({ waiting, snoozed })).sort(compareRows),
    [byId, waiting, snoozed],
  );
  const count = (severity: Notification['severity']) => open.filter((it) => it.severity === severity).length;
  const [alarms, warnings] = [count('alarm'), count('warning')];
  // The newest one is seen, however far down it stands.
  useEffect(() => {
    const shown = list.current?.querySelector('[aria-current]');
    if (shown == null) list.current?.scrollTo({ top: 0 });
    else shown.scrollIntoView({ block: 'nearest' });
  }, [shownId]);
  return (
    <section className="wall__queue" aria-label={t('queue.title')}>
      <h2>
        <span className={alarms > 0 ? 'in-alarm' : 'faint'}>{t('queue.alarms', { count: alarms })}</span>
        <span className={warnings > 0 ? 'in-warning' : 'faint'}>
          {t('queue.warnings', { count: warnings })}
        </span>
      </h2>
      <StaleBanner>{t('queue.stale')}</StaleBanner>
      {open.length === 0 ? (
        // That there are none is said only once they were read.
        <p className="wall__empty" role="status">
          {t(EMPTY[load.phase])}
        </p>
      ) : (
        <ol ref={list}>
          {open.slice(0, MOST_ROWS).map((it) => (
            <WallRow key={it.notification_id} notification={it} isShown={it.notification_id === shownId} />
          ))}
        </ol>
      )}
      {open.length > MOST_ROWS && (
        <p className="wall__more">{t('wall.more', { count: open.length - MOST_ROWS })}</p>
      )}
    </section>
  );
}

function WallRow({ notification, isShown }: { notification: Notification; isShown: boolean }) {
  const now = useNow();
  const words = useAlarmWords(notification);
  const vehicle = useVehicleName(notification.vehicle_id ?? '');
  return (
    <li className={`wall__row wall__row--${notification.severity}`} aria-current={isShown || undefined}>
      <SeverityMark severity={notification.severity} />
      <div>
        <b>{vehicle}</b> <span className={severityTone(notification.severity)}>{words.kind}</span>
        <p>{words.what}</p>
      </div>
      <time>{formatAge(Math.max(0, now - Date.parse(notification.last_time)))}</time>
    </li>
  );
}

/** So long a fault stands before the page is loaded anew: a fault at its start does not load it without a pause. */
const RECOVER_MS = 30_000;

/** Nobody is there to reload a page that broke. */
class Recovering extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    setTimeout(() => window.location.reload(), RECOVER_MS);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
