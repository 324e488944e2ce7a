import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { DepotsOfThisComputer } from '../connections/ConnectionsButton.tsx';
import { useT } from '../i18n/useT.ts';
import type { Program } from '../platform/platform.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { Choice } from '../ui/Select.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { UpdateSettingsForm } from './UpdateSettingsForm.tsx';
import { RAISES } from './preferences.ts';

/** What is set for this computer, whoever uses it: a group for each of its abilities, and none for those it lacks. */
export function ThisComputer() {
  const app = useAppContext();
  const t = useT();
  return (
    <section className="settings__section" aria-label={t('settings.here')}>
      <h2>{t('settings.here')}</h2>
      <p className="quiet">{t('settings.here_about')}</p>
      <ComputerGroup title={t('settings.console')}>
        <ConsoleHabits />
        {!app.platform.secureContext && <p className="form-sentence">{t('settings.insecure')}</p>}
      </ComputerGroup>
      {app.platform.raiseWindow !== null && (
        <ComputerGroup title={t('settings.notices')}>
          <RaiseChoice />
        </ComputerGroup>
      )}
      {app.platform.remoteHosts !== null && (
        <ComputerGroup title={t('connections.title')}>
          <DepotsOfThisComputer hosts={app.platform.remoteHosts} />
        </ComputerGroup>
      )}
      {app.platform.program !== null && <ProgramHabits program={app.platform.program} />}
      {app.platform.updates !== null && app.user.role === 'dealer' && (
        <ComputerGroup title={t('updates.title')}>
          <UpdateSettingsForm updates={app.platform.updates} />
        </ComputerGroup>
      )}
    </section>
  );
}

function ComputerGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="settings__group" role="group" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function ConsoleHabits() {
  const { preferences } = useAppContext();
  const t = useT();
  const { theme, singleKeys, sound } = useStore(preferences);
  return (
    <>
      <Toggle
        label={t('settings.light')}
        on={theme === 'light'}
        onChange={(on) => preferences.setState({ theme: on ? 'light' : 'dark' })}
      />
      <Toggle
        label={t('settings.keys')}
        hint={t('settings.keys_about')}
        on={singleKeys}
        onChange={(on) => preferences.setState({ singleKeys: on })}
      />
      <Toggle label={t('settings.sound')} on={sound} onChange={(on) => preferences.setState({ sound: on })} />
    </>
  );
}

function RaiseChoice() {
  const { preferences } = useAppContext();
  const t = useT();
  const raise = useStore(preferences, (state) => state.raise);
  return (
    <div className="form-grid">
      <Choice
        label={t('settings.raise')}
        options={RAISES.map((id) => ({ id, label: t(`settings.raise.${id}`) }))}
        value={raise}
        onChange={(chosen) => preferences.setState({ raise: chosen })}
      />
      <p className="quiet form-whole">{t('settings.raise_about')}</p>
    </div>
  );
}

/** What holds for the program around the console: nothing while it has not answered. */
function ProgramHabits({ program }: { program: Program }) {
  const t = useT();
  const preferences = useStore(program.preferences);
  const { time } = useStore(useAppContext().settings);
  const { sentence, run } = useAction();
  if (preferences === null) return null;
  const { startAtLogin, keepRunning, confirmQuit, mutedUntil } = preferences;
  const change = (wanted: Parameters<Program['change']>[0]) =>
    void run(() => program.change(wanted), { sentence: () => t('program.not_changed') });
  return (
    <ComputerGroup title={t('program.title')}>
      {mutedUntil !== null && (
        <div className="settings__warning" role="status">
          <p>{t('program.muted', { time: time.minute(mutedUntil) })}</p>
          <Button onPress={() => change({ mutedUntil: null })}>{t('program.unmute')}</Button>
        </div>
      )}
      {startAtLogin !== null && (
        <Toggle
          label={t('program.start')}
          hint={t('program.start_about')}
          on={startAtLogin}
          onChange={(on) => change({ startAtLogin: on })}
        />
      )}
      {keepRunning !== null && (
        <Toggle
          label={t('program.keep')}
          hint={t('program.keep_about')}
          on={keepRunning}
          onChange={(on) => change({ keepRunning: on })}
        />
      )}
      <Toggle label={t('program.confirm')} on={confirmQuit} onChange={(on) => change({ confirmQuit: on })} />
      <Failure>{sentence}</Failure>
    </ComputerGroup>
  );
}
