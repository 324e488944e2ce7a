import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { DepotForm } from '../setup/DepotForm.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { HostStatus } from './HostStatus.tsx';
import { NumbersForm } from './NumbersForm.tsx';

/** What is set for the depot, for this computer, and how the host does. */
export function DepotSettings() {
  const desk = useDesk();
  const say = useText();
  const settings = useStore(desk.settings, (state) => state.settings);
  const { theme, singleKeys, sound } = useStore(desk.preferences);
  const { value: status, load, take } = useStatus();
  const isDealer = desk.user.role === 'dealer';

  return (
    <div className="settings-page">
      <div className="settings">
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{say('settings.depot')}</h2>
            <DepotForm settings={settings} onSaved={() => undefined} />
          </section>
        )}
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{say('numbers.title')}</h2>
            <p className="quiet">{say('numbers.about')}</p>
            <NumbersForm settings={settings} />
          </section>
        )}
        <section className="settings__section">
          <h2>{say('settings.here')}</h2>
          <p className="quiet">{say('settings.here_about')}</p>
          <Toggle
            label={say('settings.light')}
            on={theme === 'light'}
            onChange={(on) => desk.preferences.setState({ theme: on ? 'light' : 'dark' })}
          />
          <Toggle
            label={say('settings.keys')}
            hint={say('settings.keys_about')}
            on={singleKeys}
            onChange={(on) => desk.preferences.setState({ singleKeys: on })}
          />
          <Toggle
            label={say('settings.sound')}
            on={sound}
            onChange={(on) => desk.preferences.setState({ sound: on })}
          />
          {!desk.platform.secureContext && <p className="form-sentence">{say('settings.insecure')}</p>}
        </section>
        {isDealer && (
          <section className="settings__section">
            <h2>{say('settings.first_run')}</h2>
            <p className="quiet">{say('settings.first_run_about')}</p>
            <div>
              <Button onPress={() => desk.navigation.go('setup')}>{say('settings.first_run_open')}</Button>
            </div>
          </section>
        )}
        {isDealer && (
          <section className="settings__section">
            <h2>{say('settings.host')}</h2>
            {status === null ? (
              <p className="quiet">
                {load.phase === 'failed' ? say('settings.status_failed') : say('settings.reading')}
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
