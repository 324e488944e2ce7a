import { X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Incident } from '../../server/contract/incidents.ts';
import { notificationRoutes, type Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { attempt, setAlarm } from './incidentActions.ts';
import { acknowledge } from '../live/liveActions.ts';
import { useAlarmWords } from '../notifications/alarmLabels.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Moment } from '../ui/Moment.tsx';
import { SeverityMark, severityTone } from '../ui/SeverityMark.tsx';
import { mayWork } from './incidentCommands.ts';

/** Rows that are shown at once: a rule that fires all night attaches two hundred. */
const SHOWN = 5;

/** The attached alarms, the newest first. */
export function IncidentAlarms({
  incident,
  onWhy,
}: {
  incident: Incident;
  onWhy: (notification: Notification) => void;
}) {
  const t = useT();
  const [all, setAll] = useState(false);
  const ids = incident.notification_ids;
  if (ids.length === 0) return null;
  const newest = ids.toReversed();
  return (
    <section className="incident__section" aria-label={t('incident.alarms')}>
      <div className="incident__title">
        <h3 className="fill">{t('incident.alarms')}</h3>
        {ids.length > SHOWN && (
          <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
            {all ? t('panel.events_fewer') : t('panel.events_all', { number: ids.length })}
          </Button>
        )}
      </div>
      <ul>
        {(all ? newest : newest.slice(0, SHOWN)).map((id) => (
          <AlarmRow key={id} incident={incident} notificationId={id} onWhy={onWhy} />
        ))}
      </ul>
    </section>
  );
}

interface AlarmRowProps {
  incident: Incident;
  onWhy: (notification: Notification) => void;
}

function AlarmRow({ notificationId, ...row }: AlarmRowProps & { notificationId: string }) {
  const notification = useNotification(notificationId);
  return notification === null ? (
    <li className="incident-alarm" />
  ) : (
    <KnownAlarm notification={notification} {...row} />
  );
}

function KnownAlarm({ incident, notification, onWhy }: AlarmRowProps & { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const words = useAlarmWords(notification);
  const { notification_id, severity, state, last_time } = notification;
  const unsent = useStore(app.acks.store, ({ waiting }) => waiting.has(notification_id));
  return (
    <li className="incident-alarm">
      <SeverityMark severity={severity} />
      <span className="num quiet">
        <Moment at={last_time} />
      </span>
      <span className={`incident-alarm__what strong ${severityTone(severity)}`}>
        {words.kind}, {words.what}
      </span>
      {state === 'open' && !unsent && mayWork(app) && (
        <Button size="small" onPress={() => acknowledge(app, notification_id, null)}>
          {t('queue.acknowledge')}
        </Button>
      )}
      <Button size="small" label={t('command.why')} onPress={() => onWhy(notification)}>
        {t('panel.why')}
      </Button>
      {incident.status !== 'closed' && mayWork(app) && (
        <IconButton
          icon={X}
          size="small"
          label={t('incident.detach')}
          disabled={lost}
          onPress={() => attempt(app, () => setAlarm(app, incident.incident_id, notification_id, false))}
        />
      )}
    </li>
  );
}

/** An alarm by its id; one that was acknowledged long ago is read. Null while it is not known. */
function useNotification(notificationId: string): Notification | null {
  const { api, notifications } = useAppContext();
  const isLost = useLostSince() !== null;
  const known = useStore(notifications.store, ({ byId }) => byId.get(notificationId));
  const isListed = useStore(notifications.store, ({ load }) => load.phase === 'ready');
  const [read, setRead] = useState<Notification | null>(null);
  const isMissing = known === undefined && isListed && !isLost;
  useEffect(() => {
    if (!isMissing) return;
    const abort = new AbortController();
    api
      .request(notificationRoutes.get, {
        params: { notification_id: notificationId },
        signal: abort.signal,
      })
      // One that is not there any more keeps its line in the timeline.
      .then(setRead, () => undefined);
    return () => abort.abort();
  }, [api, notificationId, isMissing]);
  return useMemo(() => known ?? read, [known, read]);
}
