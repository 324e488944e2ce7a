import { useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { DepotForm } from '../setup/DepotForm.tsx';
import { FirstDealer } from '../setup/FirstDealer.tsx';
import { KnockingTerminals } from '../setup/KnockingTerminals.tsx';
import { PointTerminal } from '../setup/PointTerminal.tsx';
import { SetupStep } from '../setup/SetupStep.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import './SetupScreen.css';

/** The first run of a new depot, before anybody can log in. */
export function FirstRunScreen() {
  const say = useText();
  return (
    <div className="setup-page">
      <div className="setup">
        <SetupHead />
        <SetupStep number={1} state="now" title={say('setup.dealer')}>
          <FirstDealer />
        </SetupStep>
        {([say('setup.depot'), say('setup.point'), say('setup.add_vehicles')] as const).map(
          (title, index) => (
            <SetupStep key={title} number={index + 2} state="later" title={title}>
              {null}
            </SetupStep>
          ),
        )}
      </div>
    </div>
  );
}

/** The same steps with a dealer logged in; it stays under Settings. */
export function SetupScreen() {
  const desk = useDesk();
  const say = useText();
  const { value: status, load } = useStatus();
  const settings = useStore(desk.settings, (state) => state.settings);
  const [editing, setEditing] = useState(false);
  const named = settings !== null && settings.version > 1;

  return (
    <div className="setup-page" tabIndex={-1}>
      <div className="setup">
        <SetupHead />
        <SetupStep number={1} state="done" title={say('setup.dealer')}>
          <p className="quiet">{desk.user.login}</p>
        </SetupStep>
        <SetupStep number={2} state={named && !editing ? 'done' : 'now'} title={say('setup.depot')}>
          {settings !== null && named && !editing ? (
            <p className="quiet">
              {settings.depot_name}, {settings.timezone}{' '}
              <Button size="small" kind="quiet" onPress={() => setEditing(true)}>
                {say('setup.change')}
              </Button>
            </p>
          ) : (
            settings !== null && <DepotForm settings={settings} onSaved={() => setEditing(false)} />
          )}
        </SetupStep>
        <SetupStep number={3} state="now" title={say('setup.point')}>
          {status !== null && <PointTerminal status={status} />}
          {status === null && load.phase === 'failed' && (
            <p className="quiet">{say('settings.status_failed')}</p>
          )}
        </SetupStep>
        <SetupStep number={4} state="now" title={say('setup.add_vehicles')}>
          <KnockingTerminals />
        </SetupStep>
        <div className="setup__end">
          <span className="quiet fill">{say('setup.stays')}</span>
          <Button kind="primary" onPress={() => desk.navigation.go('live')}>
            {say('setup.open_console')}
          </Button>
        </div>
      </div>
    </div>
  );
}

function SetupHead() {
  const say = useText();
  return (
    <div className="setup__head">
      <h1>{say('setup.title')}</h1>
      <p className="quiet">{say('setup.about')}</p>
    </div>
  );
}
