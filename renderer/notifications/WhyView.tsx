import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime, useNow } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Moment } from './Moments.tsx';
import { shelfText } from './shelfText.ts';
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
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const now = useNow();
  const names = useStore(desk.userNames, (state) => state.byId);
  const shelf = useStore(desk.shelves, (state) => state.byId.get(notification.notification_id));
  const { load, why, ruleNow, retry } = useWhy(notification.notification_id, notification.updated_at);
  const { ack } = notification;
  return (
    <div className="why">
      <WhySentence notification={notification} />
      {shelf !== undefined && <p className="quiet">{shelfText(shelf, { say, time, names, now })}</p>}
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
          <h3>{say('why.ack')}</h3>
          <p>
            {say('queue.taken_by', { user: names.get(ack.user_id) ?? say('user.another') })}{' '}
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
          title={say('why.failed')}
          stillWorks={say('why.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={retry}
        />
      ) : (
        <p className="quiet" role="status">
          {say('why.loading')}
        </p>
      )}
    </div>
  );
}
