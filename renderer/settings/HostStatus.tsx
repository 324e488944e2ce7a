import { serviceRoutes, type Status } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { bytesText, formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';

/** How the host does, and what it could not read when it started. */
export function HostStatus({ status, onStatus }: { status: Status; onStatus: (status: Status) => void }) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const { recoveries } = status.store;
  const unmonitored = status.geofences_not_monitored;

  const confirm = () =>
    run(async () => {
      const documents = [...new Set(recoveries.map((it) => it.document))];
      onStatus(await app.api.request(serviceRoutes.confirmRecoveries, { body: { documents } }));
    });

  return (
    <>
      {recoveries.length > 0 && (
        <div className="settings__warning" role="alert">
          <h3>{t('settings.recovered', { count: recoveries.length })}</h3>
          <ul>
            {recoveries.map((it) => (
              <li key={`${it.document} ${it.at}`}>
                <TimeOfDay at={Date.parse(it.at)} withDate />{' '}
                {t(it.read_from === 'bak' ? 'settings.recovered_bak' : 'settings.recovered_initial', {
                  document: it.document,
                })}
                {it.set_aside.length > 0 && ` ${t('settings.set_aside', { files: it.set_aside.join(', ') })}`}
              </li>
            ))}
          </ul>
          {status.users_blocked_until_confirmed && <p>{t('settings.users_blocked')}</p>}
          <Failure>{sentence}</Failure>
          <Button disabled={busy} onPress={() => void confirm()}>
            {t('settings.confirm')}
          </Button>
        </div>
      )}
      {unmonitored.length > 0 && (
        <div className="settings__warning" role="alert">
          <h3>{t('settings.not_monitored', { count: unmonitored.length })}</h3>
          <ul>
            {unmonitored.map(({ geozone_id, name, reason }) => (
              <li key={geozone_id}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {status.insecure_lan && <p className="form-sentence">{t('settings.insecure_lan')}</p>}
      <dl className="facts">
        <dt className="quiet">{t('settings.version')}</dt>
        <dd>{status.version}</dd>
        <dt className="quiet">{t('settings.since')}</dt>
        <dd>
          <TimeOfDay at={Date.parse(status.started_at)} withDate />
        </dd>
        <dt className="quiet">{t('settings.stored')}</dt>
        <dd>{t('settings.stored_positions', { number: formatNumber(status.store.positions_stored) })}</dd>
        <dt className="quiet">{t('settings.disk')}</dt>
        <dd>
          {t('settings.disk_free', {
            free: bytesText(status.disk.free_bytes),
            total: bytesText(status.disk.total_bytes),
          })}
        </dd>
        <dt className="quiet">{t('settings.consoles')}</dt>
        <dd>{status.streams}</dd>
      </dl>
    </>
  );
}
