import {
  BellRing,
  FileChartColumn,
  Hexagon,
  Radar,
  Settings2,
  SquarePlay,
  TriangleAlert,
  Truck,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { writeHash, type ScreenName } from '../navigation/navigation.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { Icon } from '../ui/Icon.tsx';
import { canOpen } from '../navigation/mayOpen.ts';
import { awaitingAck } from '../notifications/openRows.ts';
import './Rail.css';

const FURTHER_PLACES = [
  { to: 'events', icon: TriangleAlert },
  { to: 'video', icon: SquarePlay },
  { to: 'geofences', icon: Hexagon },
  { to: 'rules', icon: BellRing },
  { to: 'reports', icon: FileChartColumn },
  { to: 'vehicles', icon: Truck },
  { to: 'users', icon: Users },
] as const;

/** The places of the console. */
export function Rail({ place, narrow }: { place: ScreenName; narrow: boolean }) {
  const app = useAppContext();
  const t = useT();
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const { waiting } = useStore(app.acks.store);
  const { byId: snoozed } = useStore(app.snoozed);
  const open = useMemo(() => {
    const waits = awaitingAck({ waiting, snoozed });
    return [...notifications.values()].filter((it) => waits(it) && it.severity !== 'info').length;
  }, [notifications, waiting, snoozed]);
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
        <RailLink key={to} to={to} icon={icon} label={t(`rail.${to}`)} at={place} />
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
}: {
  to: ScreenName;
  icon: LucideIcon;
  label: string;
  at: ScreenName;
  badge?: number;
}) {
  const t = useT();
  const here = at === to || (to === 'settings' && at === 'setup');
  return (
    <a
      className="rail__link"
      href={writeHash({ place: to, query: {} })}
      aria-current={here ? 'page' : undefined}
      title={label}
      aria-label={badge === 0 ? label : t('rail.badge', { label, count: badge })}
    >
      <Icon of={icon} size={20} />
      <span className="rail__label">{label}</span>
      {badge > 0 && <span className="rail__badge">{badge}</span>}
    </a>
  );
}
