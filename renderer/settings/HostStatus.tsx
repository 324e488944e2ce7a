import { useState } from 'react';
import { serviceRoutes, type Status } from '../../server/contract/settings.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { bytesText, numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { TimeOfDay } from '../ui/Moment.tsx';

/** How the host does, and what it could not read when it started. */
export function HostStatus({ status, onStatus }: { status: Status; onStatus: (status: Status) => void }) {
  const desk = useDesk();
  const say = useText();
  const [fault, setFault] = useState<string | null>(null);
  const { recoveries } = status.store;
  const unmonitored = status.geofences_not_monitored;

  const confirm = async () => {
    try {
      const documents = [...new Set(recoveries.map((it) => it.document))];
      onStatus(await desk.api.request(serviceRoutes.confirmRecoveries, { body: { documents } }));
      setFault(null);
    } catch (error) {
      setFault(sentenceOf(error, say));
    }
  };

  return (
    <>
      {recoveries.length > 0 && (
        <div className="settings__warning" role="alert">
          <h3>{say('settings.recovered', { count: recoveries.length })}</h3>
          <ul>
            {recoveries.map((it) => (
              <li key={`${it.document} ${it.at}`}>
                <TimeOfDay at={Date.parse(it.at)} withDate />{' '}
                {say(it.read_from === 'bak' ? 'settings.recovered_bak' : 'settings.recovered_initial', {
                  document: it.document,
                })}
                {it.set_aside.length > 0 &&
                  ` ${say('settings.set_aside', { files: it.set_aside.join(', ') })}`}
              </li>
            ))}
          </ul>
          {status.users_blocked_until_confirmed && <p>{say('settings.users_blocked')}</p>}
          {fault !== null && <p className="strong">{fault}</p>}
          <Button onPress={() => void confirm()}>{say('settings.confirm')}</Button>
        </div>
      )}
      {unmonitored.length > 0 && (
        <div className="settings__warning" role="alert">
          <h3>{say('settings.not_monitored', { count: unmonitored.length })}</h3>
          <ul>
            {unmonitored.map(({ geozone_id, name, reason }) => (
              <li key={geozone_id}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {status.insecure_lan && <p className="form-sentence">{say('settings.insecure_lan')}</p>}
      <dl className="facts">
        <dt className="quiet">{say('settings.version')}</dt>
        <dd>{status.version}</dd>
        <dt className="quiet">{say('settings.since')}</dt>
        <dd>
          <TimeOfDay at={Date.parse(status.started_at)} withDate />
        </dd>
        <dt className="quiet">{say('settings.stored')}</dt>
        <dd>{say('settings.stored_positions', { number: numberText(status.store.positions_stored) })}</dd>
        <dt className="quiet">{say('settings.disk')}</dt>
        <dd>
          {say('settings.disk_free', {
            free: bytesText(status.disk.free_bytes),
            total: bytesText(status.disk.total_bytes),
          })}
        </dd>
        <dt className="quiet">{say('settings.consoles')}</dt>
        <dd>{status.streams}</dd>
      </dl>
    </>
  );
}
