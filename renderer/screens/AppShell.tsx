import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import {
  BellRing,
  ClipboardList,
  FileChartColumn,
  Hexagon,
  History as HistoryIcon,
  type LucideIcon,
  Radar,
  Settings2,
  Siren,
  SquarePlay,
  TriangleAlert,
  Truck,
  Users,
} from 'lucide-react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { startMenuBar } from '../commands/menuBar.ts';
import { ContextMenuHost } from '../commands/ContextMenuHost.tsx';
import { showFullMap } from '../live/liveActions.ts';
import { liveLayout } from '../live/liveLayout.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { startOpenings } from '../openFiles/openings.ts';
import { FileDrop } from '../openFiles/FileDrop.tsx';
import { ToastRegion } from '../ui/ToastRegion.tsx';
import { LiveScreen } from './LiveScreen.tsx';
import { fetchParts } from './laterPart.tsx';
import { LIVE_PARTS, OpenOverlay, useShortcuts } from './liveParts.tsx';
import { FURTHER_SCREENS, ScreenOf } from './ScreenOf.tsx';
import { SETTINGS_PARTS } from './settingsParts.ts';
import { HealthBanner } from './HealthBanner.tsx';
import { ShiftLines } from '../shifts/ShiftLines.tsx';
import { TopBar } from './TopBar.tsx';
import { canOpen, type ScreenName, writeHash } from '../navigation/navigation.ts';
import type { TextKey } from '../i18n/text.ts';
import { countUnowned } from '../incidents/openIncidents.ts';
import { useT } from '../i18n/useT.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { Icon } from '../ui/Icon.tsx';
import { awaitingAck } from '../notifications/openRows.ts';
import './AppShell.css';
import './Rail.css';

/** What stands round every screen: the rail, the top bar, dialogs and the toast. */
export function AppShell() {
  const app = useAppContext();
  const requested = useStore(app.navigation.store, (state) => state.place);
  // An address may name a screen that this user may not open.
  const place = canOpen(app.user, requested) ? requested : 'live';
  const panes = useStore(app.preferences, (state) => state.panes);
  const panelShown = useStore(app.view, (state) => state.vehicleId !== null || state.geofenceEdit !== null);
  const pointShown = useStore(app.view, (state) => state.point !== null);
  const fullMap = useStore(app.view, (state) => state.fullMap) && place === 'live';
  const wantsSecondMap = useStore(app.preferences, (state) => state.secondMap.open);
  const { width, height } = useWindowSize();
  const layout = useMemo(
    () =>
      liveLayout({
        width,
        height,
        sizes: panes,
        fullMap,
        secondMap: wantsSecondMap,
        panelShown: pointShown || (panelShown && panes['panel']?.folded !== true),
      }),
    [width, height, panes, panelShown, pointShown, fullMap, wantsSecondMap],
  );

  useShortcuts(app);

  const { menu } = app.platform;
  useEffect(() => (menu === null ? undefined : startMenuBar(app, menu)), [app, menu]);

  const { openings } = app.platform;
  useEffect(() => (openings === null ? undefined : startOpenings(app, openings)), [app, openings]);

  const { secondMapFits } = layout;
  useEffect(() => app.view.setState({ secondMapFits }), [app, secondMapFits]);
  useEffect(() => app.platform.onScreenLeft(() => showFullMap(app, false)), [app]);
  useEffect(() => {
    if (place !== 'live') showFullMap(app, false);
  }, [app, place]);

  useEffect(() => {
    const screens = Object.entries(FURTHER_SCREENS).filter(([name]) => canOpen(app.user, name as ScreenName));
    const parts = [...LIVE_PARTS, ...screens.map(([, part]) => part), ...Object.values(SETTINGS_PARTS)];
    return fetchParts(parts, app.clock);
  }, [app]);

  return (
    <div className="shell" data-fullscreen={fullMap || undefined}>
      <Rail place={place} narrow={layout.railWidth === 48} />
      <div className="shell__main">
        <TopBar />
        <HealthBanner />
        <ShiftLines />
        <main className="shell__screen">
          {place === 'live' ? <LiveScreen layout={layout} /> : <ScreenOf place={place} />}
        </main>
      </div>
      <OpenOverlay />
      <ContextMenuHost />
      <FileDrop />
      <ToastRegion store={app.toasts} />
    </div>
  );
}

const FURTHER_PLACES = [
  { to: 'history', icon: HistoryIcon },
  { to: 'events', icon: TriangleAlert },
  { to: 'incidents', icon: Siren },
  { to: 'shift', icon: ClipboardList },
  { to: 'video', icon: SquarePlay },
  { to: 'geofences', icon: Hexagon },
  { to: 'rules', icon: BellRing },
  { to: 'reports', icon: FileChartColumn },
  { to: 'vehicles', icon: Truck },
  { to: 'users', icon: Users },
] as const;

/** The places of the console. */
function Rail({ place, narrow }: { place: ScreenName; narrow: boolean }) {
  const app = useAppContext();
  const t = useT();
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const { waiting } = useStore(app.acks.store);
  const { byId: snoozed } = useStore(app.snoozed);
  const open = useMemo(() => {
    const waits = awaitingAck({ waiting, snoozed });
    return [...notifications.values()].filter(waits).length;
  }, [notifications, waiting, snoozed]);
  const unowned = useStore(app.incidents.store, ({ byId }) => countUnowned(byId));
  const { user } = app;
  return (
    <nav className={narrow ? 'rail rail--narrow' : 'rail'} aria-label={t('rail.title')}>
      <div className="rail__mark">
        <BrandMark />
      </div>
      <RailLink
        to="live"
        icon={Radar}
        label={t('rail.live')}
        at={place}
        badge={place === 'live' ? 0 : open}
      />
      {FURTHER_PLACES.filter(({ to }) => canOpen(user, to)).map(({ to, icon }) => (
        <RailLink
          key={to}
          to={to}
          icon={icon}
          label={t(`rail.${to}`)}
          at={place}
          {...(to === 'incidents' && { badge: unowned, badgeText: 'rail.unowned' })}
        />
      ))}
      <span className="fill" />
      <RailLink to="settings" icon={Settings2} label={t('rail.settings')} at={place} />
    </nav>
  );
}

function RailLink({
  to,
  icon,
  label,
  at,
  badge = 0,
  badgeText = 'rail.badge',
}: {
  to: ScreenName;
  icon: LucideIcon;
  label: string;
  at: ScreenName;
  badge?: number;
  /** What the number counts. */
  badgeText?: TextKey;
}) {
  const t = useT();
  const here = at === to || (to === 'settings' && at === 'setup');
  return (
    <a
      className="rail__link"
      href={writeHash({ place: to, query: {} })}
      aria-current={here ? 'page' : undefined}
      title={label}
      aria-label={badge === 0 ? label : t(badgeText, { label, count: badge })}
    >
      <Icon of={icon} size={20} />
      <span className="rail__label">{label}</span>
      {badge > 0 && <span className="rail__badge">{badge}</span>}
    </a>
  );
}
