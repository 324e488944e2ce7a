import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { DepotForm } from '../setup/DepotForm.tsx';
import { FirstDealer } from '../setup/FirstDealer.tsx';
import { UnknownTerminals } from '../setup/UnknownTerminals.tsx';
import { PointTerminal } from '../setup/PointTerminal.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import './SetupScreen.css';

/** The first run of a new depot, before anybody can log in. */
export function FirstRunScreen() {
  const t = useT();
  return (
    <div className="setup-page">
      <div className="setup">
        <SetupHead />
        <SetupStep number={1} state="now" title={t('setup.dealer')}>
          <FirstDealer />
        </SetupStep>
        {([t('setup.depot'), t('setup.point'), t('setup.add_vehicles')] as const).map((title, index) => (
          <SetupStep key={title} number={index + 2} state="later" title={title}>
            {null}
          </SetupStep>
        ))}
      </div>
    </div>
  );
}

/** The same steps with a dealer logged in; it stays under Settings. */
export function SetupScreen() {
  const app = useAppContext();
  const t = useT();
  const { value: status, load } = useStatus();
  const settings = useStore(app.settings, (state) => state.settings);
  const [editing, setEditing] = useState(false);
  const named = settings !== null && settings.version > 1;

  return (
    <div className="setup-page" tabIndex={-1}>
      <div className="setup">
        <SetupHead />
        <SetupStep number={1} state="done" title={t('setup.dealer')}>
          <p className="quiet">{app.user.login}</p>
        </SetupStep>
        <SetupStep number={2} state={named && !editing ? 'done' : 'now'} title={t('setup.depot')}>
          {settings !== null && named && !editing ? (
            <p className="quiet">
              {settings.depot_name}, {settings.timezone}{' '}
              <Button size="small" kind="quiet" onPress={() => setEditing(true)}>
                {t('setup.change')}
              </Button>
            </p>
          ) : (
            settings !== null && <DepotForm settings={settings} onSaved={() => setEditing(false)} />
          )}
        </SetupStep>
        <SetupStep number={3} state="now" title={t('setup.point')}>
          {status !== null && <PointTerminal status={status} />}
          {status === null && load.phase === 'failed' && (
            <p className="quiet">{t('settings.status_failed')}</p>
          )}
        </SetupStep>
        <SetupStep number={4} state="now" title={t('setup.add_vehicles')}>
          <UnknownTerminals />
        </SetupStep>
        <div className="setup__end">
          <span className="quiet fill">{t('setup.stays')}</span>
          <Button kind="primary" onPress={() => app.navigation.go('live')}>
            {t('setup.open_console')}
          </Button>
        </div>
      </div>
    </div>
  );
}

function SetupHead() {
  const t = useT();
  return (
    <div className="setup__head">
      <h1>{t('setup.title')}</h1>
      <p className="quiet">{t('setup.about')}</p>
    </div>
  );
}

/** One step of the first run: to come, at hand, or done. */
function SetupStep({
  number,
  state,
  title,
  children,
}: {
  number: number;
  state: 'later' | 'now' | 'done';
  title: string;
  children: ReactNode;
}) {
  return (
    <section className={`setup-step setup-step--${state}`}>
      <span className="setup-step__number" aria-hidden>
        {state === 'done' ? <Icon of={Check} /> : number}
      </span>
      <div className="setup-step__body">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
