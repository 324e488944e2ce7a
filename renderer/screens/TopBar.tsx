import { CircleUser, History, Moon, Search, Sun, Unplug } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { COMMANDS } from '../commands/commands.ts';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { hostOf } from '../connections/remoteHost.ts';
import { useT } from '../i18n/useT.ts';
import { keycapOf } from '../commands/shortcuts.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { formatAge } from '../format/age.ts';
import { backToLive } from '../history/historyActions.ts';
import { Button } from '../ui/Button.tsx';
import type { LinkState } from '../stream/streamReader.ts';
import { OnDutyLink } from '../shifts/ShiftLines.tsx';
import { OwnWindowButton } from '../windows/OwnWindowButton.tsx';
import { windowOfPlace } from '../windows/windowNames.ts';
import './TopBar.css';

export function TopBar() {
  const app = useAppContext();
  const t = useT();
  const connection = app.platform.connection();
  const depot = useStore(app.settings, (state) => state.settings?.depot_name ?? '');
  const theme = useStore(app.preferences, (state) => state.theme);
  const screen = useStore(app.navigation.store, windowOfPlace);
  const userMenu = COMMANDS.filter((command) => command.group === 'console' && command.when(app));
  return (
    <header className="top-bar">
      <span className="top-bar__depot" title={depot}>
        {depot}
      </span>
      {connection !== null && (
        <span className="top-bar__host ellipsis" title={t('connections.remote', { host: connection.url })}>
          {hostOf(connection.url)}
        </span>
      )}
      <AriaButton className="top-bar__search" onPress={() => app.view.setState({ overlay: 'palette' })}>
        <Icon of={Search} />
        <span className="fill ellipsis" title={t('palette.placeholder')}>
          {t('palette.placeholder')}
        </span>
        <Kbd>/</Kbd>
        <Kbd>Ctrl K</Kbd>
      </AriaButton>
      <OnDutyLink />
      <Instruments />
      {screen !== null && <OwnWindowButton of={screen} size="normal" />}
      <IconButton
        icon={theme === 'dark' ? Sun : Moon}
        label={theme === 'dark' ? t('theme.to_light') : t('theme.to_dark')}
        onPress={() => app.preferences.setState({ theme: theme === 'dark' ? 'light' : 'dark' })}
      />
      <MenuButton
        size="normal"
        label={t('user.menu', { name: app.user.name ?? app.user.login })}
        entries={userMenu.map((command) => ({
          id: command.id,
          label: t(command.label),
          keycap: command.shortcut === null ? null : keycapOf(command.shortcut),
          run: () => command.run(app, ''),
        }))}
      >
        <Icon of={CircleUser} />
      </MenuButton>
    </header>
  );
}

/** The connection and the clock; in History, that it shows the past. */
export function Instruments() {
  const { navigation } = useAppContext();
  const isPast = useStore(navigation.store, ({ place }) => place === 'history');
  const isLost = useLostSince() !== null;
  return (
    <>
      {isPast && !isLost ? <PastField /> : <ConnectionField />}
      {isPast ? <PastClock /> : <Clock />}
    </>
  );
}

/** That what is shown is the past, how long ago it was, and the way back. */
function PastField() {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const shownAt = useStore(app.history.store, (state) => state.shownAt);
  return (
    <div className="top-bar__past" role="status">
      <Icon of={History} />
      <b>{t('history.past')}</b>
      <span>{t('history.ago', { age: formatAge(Math.max(0, now - shownAt)) })}</span>
      <Button kind="primary" size="small" keycap="Esc" onPress={() => backToLive(app)}>
        {t('history.back')}
      </Button>
    </div>
  );
}

function PastClock() {
  const { history } = useAppContext();
  return <ClockOf at={useStore(history.store, (state) => state.shownAt)} />;
}

export function Clock() {
  return <ClockOf at={useNow()} />;
}

function ClockOf({ at: now }: { at: number }) {
  const t = useT();
  const time = useDepotTime();
  const ofDepot = useStore(useAppContext().settings, ({ numbers }) => numbers.timezone);
  return (
    <div className="top-bar__clock" title={time.utc(now)}>
      <b>{time.clock(now)}</b>
      <span>
        {time.date(now)} · {time.zone(now)}
        {time.timeZone !== ofDepot && `, ${t('language.own_zone')}`}
      </span>
    </div>
  );
}

const BEATS = 6;
/** So long it is said that the link is back. */
const AGAIN_MS = 6_000;

/** The heartbeat, the word, and the age of the last message of a terminal; lost: since when, and the next try. */
export function ConnectionField() {
  const app = useAppContext();
  const t = useT();
  const { link, beats, caughtUp, malformed } = useStore(app.connection);
  const now = useNow();
  const contactAt = app.positions.newestContactAt();
  const ageOf = (localMs: number) => now - app.serverTime.of(localMs);

  if (link.phase === 'lost') return <LostField link={link} ageOf={ageOf} />;
  const isAgain = link.phase === 'live' && link.lostBefore !== null && ageOf(link.since) < AGAIN_MS;
  const strokes = [...Array.from({ length: BEATS - beats.length }, () => null), ...beats];
  return (
    <div
      className="connection"
      role="status"
      title={malformed === 0 ? t('connection.counts') : t('connection.malformed', { count: malformed })}
    >
      <span className="connection__beats" aria-hidden>
        {strokes.map((beat, index) => (
          <i key={index} className={beat === null ? 'none' : beat ? 'high' : 'low'} />
        ))}
      </span>
      {link.phase === 'connecting' ? (
        <b>{t('connection.connecting')}</b>
      ) : (
        <>
          <b>{isAgain ? t('connection.again') : t('connection.live')}</b>
          <span className="connection__age">
            {isAgain && caughtUp > 0
              ? t('connection.caught_up', { count: caughtUp })
              : contactAt === null
                ? t('connection.no_message')
                : t('connection.last_message', { age: formatAge(Math.max(0, now - contactAt)) })}
          </span>
        </>
      )}
    </div>
  );
}

function LostField({
  link,
  ageOf,
}: {
  link: Extract<LinkState, { phase: 'lost' }>;
  ageOf: (localMs: number) => number;
}) {
  const app = useAppContext();
  const t = useT();
  return (
    <div className="connection-lost hatch" role="status">
      <Icon of={Unplug} />
      <b>
        {link.isRefused === true
          ? t('connection.too_many')
          : t('connection.lost_ago_short', { age: formatAge(ageOf(link.since)) })}
      </b>
      <span className="quiet">
        {link.nextTryAt === null
          ? t('connection.trying')
          : t('connection.next_try', { age: formatAge(Math.max(0, -ageOf(link.nextTryAt)) + 999) })}
      </span>
      <Button size="small" keycap="R" disabled={link.nextTryAt === null} onPress={() => app.stream.tryNow()}>
        {t('ui.try_now')}
      </Button>
    </div>
  );
}
