import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Handshake, History, X } from 'lucide-react';
import { shiftRoutes, type ShiftReport } from '../../server/contract/shifts.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { canOpen, mayWrite } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { onDuty, waitingFor } from './shiftActions.ts';
import './Shifts.css';

/** Above every screen, in a line each: a handover that waits, and what happened since the last login. */
export function ShiftLines() {
  const { user } = useAppContext();
  if (!canOpen(user, 'shift')) return null;
  return (
    <>
      {mayWrite(user, 'notifications') && <WaitingLine />}
      <SinceLoginLine />
    </>
  );
}

function WaitingLine() {
  const { user, shifts, navigation, view } = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const byId = useStore(shifts.store, (state) => state.byId);
  const [shift] = waitingFor(byId, user);
  if (shift?.handover == null) return null;
  const { name, handover, shift_id } = shift;
  const words = { name, time: time.moment(Date.parse(handover.offered_at), now) };
  return (
    <div className="shift-line" role="status">
      <Icon of={Handshake} />
      <b className="ellipsis">
        {handover.to?.user_id === user.user_id
          ? t('shift.waiting_from_you', words)
          : t('shift.waiting_from', words)}
      </b>
      <span className="fill" />
      <Button size="small" onPress={() => navigation.go('shift', { id: shift_id })}>
        {t('shift.review')}
      </Button>
      <Button
        size="small"
        kind="primary"
        keycap="Alt Shift A"
        onPress={() => {
          // Where another handover is shown, that one would be meant.
          if (navigation.store.getState().place === 'shift') navigation.go('shift', { id: shift_id });
          view.setState({ overlay: 'shift_accept' });
        }}
      >
        {t('shift.accept')}
      </Button>
    </div>
  );
}

/** Whoever reloads the page, or was away for a moment, knows what happened. */
const leastAwayMs = 15 * 60_000;
const storedUnder = (userId: string) => `fleetdeck.since_login.${userId}`;

/** Offered once for each login, until it is shown or dismissed. */
function SinceLoginLine() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const [offered, setOffered] = useState<{ since: string; report: ShiftReport } | null>(null);
  const { api, user, platform, serverTime, navigation } = app;
  useEffect(() => {
    const abort = new AbortController();
    api.request(shiftRoutes.sinceLogin, { signal: abort.signal }).then(
      ({ since, report }) => {
        if (since === null || report === null) return;
        if (platform.storage.read(storedUnder(user.user_id)) === since) return;
        const isNews = report.notifications.total + report.open.total > 0;
        if (isNews && serverTime.now() - Date.parse(since) >= leastAwayMs) setOffered({ since, report });
      },
      // It is no more than an offer: the screen has it, with what failed.
      () => undefined,
    );
    return () => abort.abort();
  }, [api, user, platform, serverTime]);
  if (offered === null) return null;
  const { since, report } = offered;
  const done = () => {
    platform.storage.write(storedUnder(user.user_id), since);
    setOffered(null);
  };
  return (
    <div className="shift-line" role="status">
      <Icon of={History} />
      <span className="ellipsis">
        {t('shift.since_login_sum', {
          time: time.moment(Date.parse(since), now),
          came: formatNumber(report.notifications.total),
          open: formatNumber(report.open.total),
        })}
      </span>
      <span className="fill" />
      <Button
        size="small"
        keycap="Alt Shift L"
        onPress={() => {
          done();
          navigation.go('shift', { id: 'since_login' });
        }}
      >
        {t('shift.since_login_show')}
      </Button>
      <IconButton icon={X} label={t('ui.dismiss')} onPress={done} />
    </div>
  );
}

/** Who is on duty, in the top bar; leads to the screen. */
export function OnDutyLink() {
  const { user, shifts, navigation } = useAppContext();
  const t = useT();
  const { byId, load } = useStore(shifts.store);
  if (!canOpen(user, 'shift') || load.phase !== 'ready') return null;
  const names = onDuty(byId).map((it) => it.name);
  const [first] = names;
  return (
    <button
      type="button"
      className="top-bar__duty"
      title={first === undefined ? t('shift.nobody') : t('shift.on_duty_is', { names: names.join(', ') })}
      onClick={() => navigation.go('shift')}
    >
      <Icon of={Handshake} />
      <span className="ellipsis">
        {first === undefined
          ? t('shift.nobody')
          : names.length === 1
            ? first
            : t('shift.on_duty_more', { name: first, count: names.length - 1 })}
      </span>
    </button>
  );
}
