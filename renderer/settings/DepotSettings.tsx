import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { DepotForm } from '../setup/DepotForm.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { HostStatus } from './HostStatus.tsx';
import { ThresholdsForm } from './ThresholdsForm.tsx';

/** What is set for the depot, for this computer, and how the host does. */
export function DepotSettings() {
  const app = useAppContext();
  const t = useT();
  const settings = useStore(app.settings, (state) => state.settings);
  const { theme, singleKeys, sound } = useStore(app.preferences);
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
        <section className="settings__section">
          <h2>{t('settings.here')}</h2>
          <p className="quiet">{t('settings.here_about')}</p>
          <Toggle
            label={t('settings.light')}
            on={theme === 'light'}
            onChange={(on) => app.preferences.setState({ theme: on ? 'light' : 'dark' })}
          />
          <Toggle
            label={t('settings.keys')}
            hint={t('settings.keys_about')}
            on={singleKeys}
            onChange={(on) => app.preferences.setState({ singleKeys: on })}
          />
          <Toggle
            label={t('settings.sound')}
            on={sound}
            onChange={(on) => app.preferences.setState({ sound: on })}
          />
          {!app.platform.secureContext && <p className="form-sentence">{t('settings.insecure')}</p>}
        </section>
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
