import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { DepotForm } from '../setup/DepotForm.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import { BackupSettings } from './BackupSettings.tsx';
import { IncidentSettings } from './IncidentSettings.tsx';
import { SoundSettings } from './SoundSettings.tsx';
import { ThisComputer } from './ThisComputer.tsx';
import { ThresholdsForm } from './ThresholdsForm.tsx';
import { serviceRoutes, type Status } from '../../server/contract/settings.ts';
import { formatBytes, formatNumber } from '../format/numbers.ts';
import { useAction } from '../resources/useAction.ts';
import { detailText } from '../ui/formFaults.ts';
import { Failure } from '../ui/Form.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';

/** What is set for the depot, what this user hears, what is set for this computer, and how the host does. */
export function DepotSettings() {
  const app = useAppContext();
  const t = useT();
  const settings = useStore(app.settings, (state) => state.settings);
  const { value: status, load, take } = useStatus();
  const isDealer = app.user.role === 'dealer';

  return (
    <div className="settings-page">
      <div className="settings">
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{t('settings.depot')}</h2>
            <DepotForm settings={settings} onSaved={() => undefined} />
          </section>
        )}
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{t('numbers.title')}</h2>
            <p className="quiet">{t('numbers.about')}</p>
            <ThresholdsForm settings={settings} />
          </section>
        )}
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{t('incident_settings.title')}</h2>
            <p className="quiet">{t('incident_settings.about')}</p>
            <IncidentSettings settings={settings} />
          </section>
        )}
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{t('backup.title')}</h2>
            <p className="quiet">{t('backup.about')}</p>
            <BackupSettings settings={settings} />
          </section>
        )}
        <section className="settings__section" aria-label={t('sounds.title')}>
          <h2>{t('sounds.title')}</h2>
          <SoundSettings />
        </section>
        <ThisComputer />
        {isDealer && (
          <section className="settings__section">
            <h2>{t('settings.first_run')}</h2>
            <p className="quiet">{t('settings.first_run_about')}</p>
            <div>
              <Button onPress={() => app.navigation.go('setup')}>{t('settings.first_run_open')}</Button>
            </div>
          </section>
        )}
        {isDealer && (
          <section className="settings__section">
            <h2>{t('settings.host')}</h2>
            {status === null ? (
              <p className="quiet">
                {load.phase === 'failed' ? t('settings.status_failed') : t('settings.reading')}
              </p>
            ) : (
              <HostStatus status={status} onStatus={take} />
            )}
          </section>
        )}
      </div>
    </div>
  );
}

/** How the host does, and what it could not read when it started. */
function HostStatus({ status, onStatus }: { status: Status; onStatus: (status: Status) => void }) {
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
                {t(it.restored_from === 'bak' ? 'settings.recovered_bak' : 'settings.recovered_initial', {
                  document: it.document,
                })}
                {it.quarantined_as.length > 0 &&
                  ` ${t('settings.quarantined_as', { files: it.quarantined_as.join(', ') })}`}
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
            {unmonitored.map(({ geozone_id, name, reason: detail, causes }) => (
              <li key={geozone_id}>
                {name}: {detailText({ detail, causes }, t)}
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
            free: formatBytes(status.disk.free_bytes),
            total: formatBytes(status.disk.total_bytes),
          })}
        </dd>
        <dt className="quiet">{t('settings.consoles')}</dt>
        <dd>{status.streams}</dd>
      </dl>
    </>
  );
}
