import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { EventKind, EventValues } from '../../server/contract/events.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { spanText } from '../format/span.ts';
import { speedText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { goesOn, grows, valuesAsOf } from './goingOn.ts';
import { allowedText, measuredText } from './measuredText.ts';
import { Moment } from './Moments.tsx';

/** The numbers side by side, and the fixes that they were taken from. */
export function WhyFacts({
  kind,
  values: told,
  at,
  geozoneId,
  count = 1,
  firstTime,
  lastTime,
}: {
  kind: EventKind;
  values: EventValues;
  /** The moment of the event, RFC 3339. */
  at: string;
  geozoneId: string | null;
  count?: number;
  firstTime?: string;
  lastTime?: string;
}) {
  const desk = useDesk();
  const say = useText();
  const fence = useStore(desk.geofences.store, (state) => state.byId.get(geozoneId ?? '')?.name);
  useStore(desk.places.edition, (state) => state.number);
  // What goes on grows while it is looked at.
  const now = useStore(desk.serverTime.ticks, () => (grows(kind, told) ? desk.asOf() : 0));
  const values = valuesAsOf(kind, told, at, now);
  const measured = measuredText(values);
  const allowed = allowedText(values);
  const { duration_s, limit_from, ended_at, fixes, alarm } = values;
  return (
    <section className="why__section">
      <dl className="why__facts">
        {measured !== null && <Fact label={say('why.measured')}>{measured}</Fact>}
        {allowed !== null && (
          <Fact label={say('why.allowed')}>
            {allowed}
            {limit_from !== null && <span className="quiet"> · {say(`why.limit_from.${limit_from}`)}</span>}
          </Fact>
        )}
        {duration_s !== null && duration_s > 0 && values.unit !== 's' && (
          <Fact label={say('why.lasted')}>
            {spanText(duration_s * 1_000)}
            {goesOn(kind, values) && <span className="quiet"> · {say('why.goes_on')}</span>}
          </Fact>
        )}
        {ended_at !== null && (
          <Fact label={say('why.ended')}>
            <Moment at={ended_at} />
          </Fact>
        )}
        {alarm !== null && <Fact label={say('why.terminal_says')}>{alarm.replaceAll('_', ' ')}</Fact>}
        {geozoneId !== null && (
          <Fact label={say('why.geofence')}>{fence ?? say('place.unknown_geofence')}</Fact>
        )}
        {count > 1 && firstTime !== undefined && lastTime !== undefined && (
          <Fact label={say('why.counted')}>
            {say('queue.times', { count })}, <Moment at={firstTime} /> – <Moment at={lastTime} />
          </Fact>
        )}
      </dl>
      {fixes.length > 0 && (
        <table className="why__table">
          <caption>{say('why.fixes', { count: fixes.length })}</caption>
          <thead>
            <tr>
              <th scope="col">{say('why.fix_time')}</th>
              <th scope="col" className="to-right">
                {say('why.fix_speed')}
              </th>
              <th scope="col">{say('why.fix_place')}</th>
            </tr>
          </thead>
          <tbody>
            {fixes.map((fix, index) => (
              <tr key={`${fix.time} ${index}`}>
                <td>
                  <Moment at={fix.time} />
                </td>
                <td className="to-right">{fix.speed_kmh === null ? '–' : speedText(fix.speed_kmh)}</td>
                <td className="quiet" title={`${fix.lat.toFixed(5)}, ${fix.lon.toFixed(5)}`}>
                  {desk.places.at(fix.lat, fix.lon) || `${fix.lat.toFixed(5)}, ${fix.lon.toFixed(5)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="quiet">{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
