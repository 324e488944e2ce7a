import { useStore } from 'zustand';
import { useEffect, useMemo, useState } from 'react';
import {
  type Notification,
  notificationRoutes,
  type NotificationWhy,
} from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Moment } from '../ui/Moment.tsx';
import { formatSnooze } from './snoozes.ts';
import { WhyChart } from './WhyChart.tsx';
import { WhyEscalation } from './WhyEscalation.tsx';
import { WhyFacts } from './WhyFacts.tsx';
import { WhyRule } from './WhyRule.tsx';
import { Modal } from '../ui/Modal.tsx';
import { asSentence } from '../format/inSentence.ts';
import { SeverityMark, severityTone } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { useAlarmWords, eventWords } from './alarmLabels.ts';
import type { Event } from '../../server/contract/events.ts';
import { type Rule, ruleRoutes } from '../../server/contract/rules.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import './Why.css';

/** Everything that an alarm rests on: its numbers, fixes, rule, events, and what became of it. */
export function WhyView({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const names = useStore(app.userNames, (state) => state.byId);
  const snoozed = useStore(app.snoozed, (state) => state.byId.get(notification.notification_id));
  const { load, why, ruleNow, retry } = useWhy(
    notification.notification_id,
    `${notification.updated_at} ${notification.escalation?.escalated_at ?? ''}`,
  );
  const { ack } = notification;
  return (
    <div className="why">
      <WhySentence notification={notification} />
      {snoozed !== undefined && <p className="quiet">{formatSnooze(snoozed, { t, time, names, now })}</p>}
      <WhyFacts
        kind={notification.event_kind}
        vehicleId={notification.vehicle_id}
        at={notification.last_time}
        details={notification.details}
        geozoneId={notification.geozone_id}
        count={notification.count}
        firstTime={notification.first_time}
        lastTime={notification.last_time}
      />
      {notification.vehicle_id !== null && (
        <WhyChart
          vehicleId={notification.vehicle_id}
          details={notification.details}
          at={notification.last_time}
          events={why?.events ?? []}
        />
      )}
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
          <WhyEscalation history={why.escalation} notification={notification} />
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

/** Why an alarm fired, over the screen that it was asked from. */
export function WhyDialog({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const t = useT();
  return (
    <Modal title={t('why.title')} onClose={onClose} width={640}>
      <WhyView notification={notification} />
    </Modal>
  );
}

/** What happened, to whom, where and when, in words. */
function WhySentence({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useVehicleName(notification.vehicle_id);
  useStore(app.places.edition, (state) => state.number);
  const words = useAlarmWords(notification);
  const { lat, lon, severity } = notification;
  const place = lat === null || lon === null ? '' : app.places.at(lat, lon);
  return (
    <div className="why__sentence">
      <SeverityMark severity={severity} />
      <div>
        <p>
          <b className="strong">{vehicle}</b>{' '}
          <span className={`strong ${severityTone(severity)}`}>{words.kind}</span>
        </p>
        <p>{t('why.sentence', { what: asSentence(words.what) })}</p>
        <p className="quiet">
          <Moment at={notification.last_time} />
          {place !== '' && ` · ${place}`}
          {notification.late && ` · ${t('queue.late')}`}
        </p>
      </div>
    </div>
  );
}

/** The events that were counted on one row; nothing where it is one, which the numbers above are of. */
function WhyEvents({ events }: { events: readonly Event[] }) {
  const app = useAppContext();
  const t = useT();
  useStore(app.geofences.store, (state) => state.byId);
  useStore(app.places.edition, (state) => state.number);
  if (events.length < 2) return null;
  return (
    <section className="why__section">
      <h3>{t('why.events', { count: events.length })}</h3>
      <ol className="why__events">
        {events.map((event) => {
          const { lat, lon } = event;
          const place = lat === null || lon === null ? '' : app.places.at(lat, lon);
          return (
            <li key={event.event_id} className="why__event">
              <span className="quiet">
                <Moment at={event.time} />
              </span>
              <span>{eventWords(event, app).what}</span>
              <span className="quiet ellipsis" title={place}>
                {place}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

type Delivery = NotificationWhy['deliveries'][number];

/** The deliveries outside the console; nothing where none were due. */
function WhyDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const t = useT();
  if (deliveries.length === 0) return null;
  return (
    <section className="why__section">
      <h3>{t('why.deliveries')}</h3>
      <ul>
        {deliveries.map((it, index) => (
          <li key={`${it.channel} ${it.target} ${index}`} className="why__delivery">
            <span className="strong">{t(`why.channel.${it.channel}`)}</span>{' '}
            <span className="quiet">{it.target}</span>
            {it.step !== null && (
              <span className="quiet"> · {t('escalation.step_of_delivery', { step: it.step })}</span>
            )}
            <div>
              <DeliveryState delivery={it} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DeliveryState({ delivery }: { delivery: Delivery }) {
  const t = useT();
  const { status, attempts, sent_at, next_attempt_at, last_error } = delivery;
  const reason = last_error === null ? '' : ` ${last_error}`;
  switch (status) {
    case 'sent':
      return (
        <>
          {t('why.delivery.sent')} {sent_at !== null && <Moment at={sent_at} />}
          {attempts > 1 && `, ${t('why.delivery.tries', { count: attempts })}`}
        </>
      );
    case 'waiting':
      return (
        <>
          {attempts === 0
            ? t('why.delivery.waiting')
            : `${t('why.delivery.waiting_after', { count: attempts })}${reason}`}
          {next_attempt_at !== null && (
            <>
              {' '}
              {t('why.delivery.next')} <Moment at={next_attempt_at} />
            </>
          )}
        </>
      );
    case 'failed':
      return (
        <>
          {t('why.delivery.failed', { count: attempts })}
          {reason}
        </>
      );
  }
}

interface Why {
  load: LoadState;
  why: NotificationWhy | null;
  /** The rule as it is now, read where it has changed since; null otherwise, or where it is not to be seen. */
  ruleNow: Rule | null;
  retry: () => void;
}

/** Why a notification fired; read anew when it changes. A component of another notification has another `key`. */
function useWhy(notificationId: string, updatedAt: string): Why {
  const { api, clock } = useAppContext();
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const [found, setFound] = useState<Pick<Why, 'why' | 'ruleNow'>>({ why: null, ruleNow: null });

  const loader = useMemo(
    () =>
      createLoader({
        clock,
        read: async (signal) => {
          const why = await api.request(notificationRoutes.why, {
            params: { notification_id: notificationId },
            signal,
          });
          if (why.rule_now !== 'changed') return { why, ruleNow: null };
          return { why, ruleNow: await readRule(api, why.notification.rule_id, signal) };
        },
        take: setFound,
        onState: setLoad,
      }),
    [api, clock, notificationId],
  );
  useEffect(() => {
    loader.load();
    return () => loader.stop();
  }, [loader, updatedAt]);

  return { load, ...found, retry: () => loader.retry() };
}

async function readRule(api: Api, rule_id: string | null, signal: AbortSignal): Promise<Rule | null> {
  if (rule_id === null) return null;
  try {
    return await api.request(ruleRoutes.get, { params: { rule_id }, signal });
  } catch (error) {
    if (isProblem(error, 'not_found', 'forbidden')) return null;
    throw error;
  }
}
