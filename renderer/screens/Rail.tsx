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
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { writeHash, type Place } from '../navigation/navigation.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { Icon } from '../ui/Icon.tsx';
import { mayOpen } from '../navigation/mayOpen.ts';
import { whatWaits } from '../notifications/openRows.ts';
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
export function Rail({ place, narrow }: { place: Place; narrow: boolean }) {
  const desk = useDesk();
  const say = useText();
  const notifications = useStore(desk.notifications.store, (state) => state.byId);
  const { waiting } = useStore(desk.acks.store);
  const { byId: shelved } = useStore(desk.shelves);
  const open = useMemo(() => {
    const waits = whatWaits({ waiting, shelved });
    return [...notifications.values()].filter((it) => waits(it) && it.severity !== 'info').length;
  }, [notifications, waiting, shelved]);
  const { user } = desk;
  return (
    <nav className={narrow ? 'rail rail--narrow' : 'rail'} aria-label={say('rail.title')}>
      <div className="rail__mark">
        <BrandMark />
      </div>
      <RailLink
        to="live"
        icon={Radar}
        label={say('rail.live')}
        at={place}
        badge={place === 'live' ? 0 : open}
      />
      {FURTHER_PLACES.filter(({ to }) => mayOpen(user, to)).map(({ to, icon }) => (
        <RailLink key={to} to={to} icon={icon} label={say(`rail.${to}`)} at={place} />
      ))}
      <span className="fill" />
      <RailLink to="settings" icon={Settings2} label={say('rail.settings')} at={place} />
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
  to: Place;
  icon: LucideIcon;
  label: string;
  at: Place;
  badge?: number;
}) {
  const say = useText();
  const here = at === to || (to === 'settings' && at === 'setup');
  return (
    <a
      className="rail__link"
      href={writeHash({ place: to, query: {} })}
      aria-current={here ? 'page' : undefined}
      title={label}
      aria-label={badge === 0 ? label : say('rail.badge', { label, count: badge })}
    >
      <Icon of={icon} size={20} />
      <span className="rail__label">{label}</span>
      {badge > 0 && <span className="rail__badge">{badge}</span>}
    </a>
  );
}
