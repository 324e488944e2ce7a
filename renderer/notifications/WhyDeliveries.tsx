import type { NotificationWhy } from '../../server/contract/notifications.ts';
import { useT } from '../i18n/useT.ts';
import { Moment } from './Moments.tsx';

type Delivery = NotificationWhy['deliveries'][number];

/** The deliveries outside the console; nothing where none were due. */
export function WhyDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
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
  const { status, attempts, sent_at, next_try_at, last_error } = delivery;
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
          {next_try_at !== null && (
            <>
              {' '}
              {t('why.delivery.next')} <Moment at={next_try_at} />
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
