import { Radar, Settings2, SquarePlay, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { reaches } from '../../server/contract/rights.ts';
import { useConsole } from '../ConsoleContext.tsx';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { writeHash, type Place } from '../navigation/navigation.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { Icon } from '../ui/Icon.tsx';
import './Rail.css';

/** The places of the console. */
export function Rail({ place, narrow }: { place: Place; narrow: boolean }) {
  const desk = useDesk();
  const say = useText();
  const notifications = useStore(desk.notifications.store, (state) => state.byId);
  const waiting = useStore(desk.acks.store, (state) => state.waiting);
  const open = useMemo(
    () =>
      [...notifications.values()].filter(
        (it) => it.state === 'open' && it.severity !== 'info' && !waiting.has(it.notification_id),
      ).length,
    [notifications, waiting],
  );
  const { user } = desk;
  const { videoScreen } = useConsole();
  const mayWatch = videoScreen !== null && (user.role === 'dealer' || reaches(user.rights.video, 'read'));
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
      {mayWatch && <RailLink to="video" icon={SquarePlay} label={say('rail.video')} at={place} />}
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
