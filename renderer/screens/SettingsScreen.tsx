import { useState } from 'react';
import { useStore } from 'zustand';
import { serviceRoutes, type Status } from '../../server/contract/settings.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { bytesText, numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { NumbersForm } from '../settings/NumbersForm.tsx';
import { DepotForm } from '../setup/DepotForm.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import './SettingsScreen.css';

export function SettingsScreen() {
  const desk = useDesk();
  const say = useText();
  const settings = useStore(desk.settings, (state) => state.settings);
  const { theme, singleKeys, sound } = useStore(desk.preferences);
  const { status, load, take } = useStatus();
  const isDealer = desk.user.role === 'dealer';

  return (
    <div className="settings-page" data-pane tabIndex={-1}>
      <div className="settings">
        <h1 className="settings__title">{say('rail.settings')}</h1>
        {isDealer && settings !== null && (
          <section className="settings__section">
            <h2>{say('settings.depot')}</h2>
            <DepotForm key={settings.version} settings={settings} onSaved={() => undefined} />
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

function HostStatus({ status, onStatus }: { status: Status; onStatus: (status: Status) => void }) {
  const desk = useDesk();
  const say = useText();
  const [fault, setFault] = useState<string | null>(null);
  const { recoveries } = status.store;

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
