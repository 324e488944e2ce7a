import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Moment } from './Moments.tsx';
import { snoozeText } from './snoozeText.ts';
import { useWhy } from './useWhy.ts';
import { WhyChart } from './WhyChart.tsx';
import { WhyDeliveries } from './WhyDeliveries.tsx';
import { WhyEvents } from './WhyEvents.tsx';
import { WhyFacts } from './WhyFacts.tsx';
import { WhyRule } from './WhyRule.tsx';
import { WhySentence } from './WhySentence.tsx';
import './Why.css';

/** Everything that an alarm rests on: its numbers, fixes, rule, events, and what became of it. */
export function WhyView({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const names = useStore(app.userNames, (state) => state.byId);
  const snoozed = useStore(app.snoozed, (state) => state.byId.get(notification.notification_id));
  const { load, why, ruleNow, retry } = useWhy(notification.notification_id, notification.updated_at);
  const { ack } = notification;
  return (
    <div className="why">
      <WhySentence notification={notification} />
      {snoozed !== undefined && <p className="quiet">{snoozeText(snoozed, { t, time, names, now })}</p>}
      <WhyFacts
        kind={notification.event_kind}
        at={notification.last_time}
        values={notification.values}
        geozoneId={notification.geozone_id}
        count={notification.count}
        firstTime={notification.first_time}
        lastTime={notification.last_time}
      />
      <WhyChart
        vehicleId={notification.vehicle_id}
        values={notification.values}
        at={notification.last_time}
        events={why?.events ?? []}
      />
      {ack !== null && (
        <section className="why__section">
          <h3>{t('why.ack')}</h3>
          <p>
            {t('queue.taken_by', { user: names.get(ack.user_id) ?? t('user.another') })}{' '}
            <Moment at={ack.at} />
          </p>
          {ack.note !== null && <p className="why__note">{ack.note}</p>}
        </section>
      )}
      {why !== null ? (
        <>
          <WhyRule why={why} ruleNow={ruleNow} />
          <WhyEvents events={why.events} />
          <WhyDeliveries deliveries={why.deliveries} />
        </>
      ) : load.phase === 'failed' ? (
        <LoadFailure
          title={t('why.failed')}
          stillWorks={t('why.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={retry}
        />
      ) : (
        <p className="quiet" role="status">
          {t('why.loading')}
        </p>
      )}
    </div>
  );
}
