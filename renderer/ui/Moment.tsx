import { useDepotTime, useOfNow } from '../appContext/useMoment.ts';
import { formatAge, formatShortAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';

/** A time of day in the depot's zone, with UTC on hover; milliseconds since 1970. */
export function TimeOfDay({ at, withDate = false }: { at: number; withDate?: boolean }) {
  const time = useDepotTime();
  const text = useOfNow((now) => (withDate ? time.moment(at, now) : time.clock(at)));
  return (
    <time dateTime={new Date(at).toISOString()} title={time.utc(at)}>
      {text}
    </time>
  );
}

/** How long ago something was, counting on. `short` for columns: one unit alone. */
export function Age({ since, short = false }: { since: number; short?: boolean }) {
  return <span>{useOfNow((now) => (short ? formatShortAge : formatAge)(now - since))}</span>;
}

/** How long ago something was, in one unit and said as such, counting on. */
export function Ago({ since }: { since: number }) {
  const t = useT();
  return <span>{useOfNow((now) => t('intake.ago', { age: formatShortAge(now - since) }))}</span>;
}

/** A moment of the contract (RFC 3339), with its day unless it is today. */
export function Moment({ at }: { at: string }) {
  return <TimeOfDay at={Date.parse(at)} withDate />;
}
