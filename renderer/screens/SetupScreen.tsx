import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { DepotForm } from '../setup/DepotForm.tsx';
import { FirstDealer } from '../setup/FirstDealer.tsx';
import { useStatus } from '../setup/useStatus.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Status } from '../../server/contract/settings.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import type { TextKey } from '../i18n/text.ts';
import { TextField } from '../ui/TextField.tsx';
import { byLastSeen, useAddTerminal } from '../vehicles/manage/unknownTerminals.tsx';
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

/** Where to point a terminal, and which unknown terminals there are. */
function PointTerminal({ status }: { status: Status }) {
  const app = useAppContext();
  const t = useT();
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId);
  const addresses = status.terminal_addresses.length === 0 ? ['127.0.0.1'] : status.terminal_addresses;
  const [first = ''] = addresses;
  return (
    <>
      <p className="quiet">{t('setup.point_how')}</p>
      {addresses.length > 1 && <p className="quiet">{t('setup.addresses')}</p>}
      {addresses.map((address) => (
        <div key={address} className="setup-address">
          <code>{address}</code>
          <CopyButton text={address} />
        </div>
      ))}
      {!status.intake_open && (
        <div className="setup-address">
          <span className="quiet">{t('setup.only_here')}</span>
          <Button size="small" onPress={() => app.navigation.go('settings', { tab: 'terminals' })}>
            {t('setup.open_terminals')}
          </Button>
        </div>
      )}
      <table className="setup-ports">
        <tbody>
          {intakePorts(status, unknownTerminals.values()).map((it) => (
            <tr key={it.protocol}>
              <th scope="row">{t(`protocol.${it.protocol}`)}</th>
              <td className="strong">{it.port}</td>
              <td>
                <CopyButton text={`${first.includes(':') ? `[${first}]` : first}:${it.port}`} />
              </td>
              <td className={it.unknownTerminals > 0 ? 'in-accent strong' : 'faint'}>
                {it.unknownTerminals > 0
                  ? t('setup.unknown_terminals', { count: it.unknownTerminals })
                  : it.messages > 0
                    ? t('setup.messages', { count: it.messages })
                    : t('setup.nothing_yet')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface IntakePort {
  protocol: keyof Status['intake'];
  port: number;
  /** Unknown terminals of that listener. */
  unknownTerminals: number;
  messages: number;
}

/** The open ports, each with its unknown terminals. */
function intakePorts(status: Status, unknownTerminals: Iterable<UnknownTerminal>): IntakePort[] {
  const terminals = [...unknownTerminals];
  const ports: IntakePort[] = [];
  for (const protocol of ['teltonika', 'wialon', 'jt808', 'osmand', 'jt1078'] as const) {
    const intake = status.intake[protocol];
    if (intake === null) continue;
    ports.push({
      protocol,
      port: intake.port,
      unknownTerminals: terminals.filter((it) => it.protocol === protocol).length,
      messages: intake.messages,
    });
  }
  return ports;
}

const NO_GROUPS: readonly string[] = [];

/** Unknown terminals: one click gives each a vehicle. */
function UnknownTerminals() {
  const app = useAppContext();
  const t = useT();
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId.size);
  const terminals = byLastSeen(unknownTerminals.values());
  return (
    <>
      {terminals.length === 0 && (
        <p className="quiet">
          {vehicles === 0 ? t('setup.no_unknown_terminals') : t('setup.vehicles', { count: vehicles })}
        </p>
      )}
      {terminals.map((terminal, index) => (
        <UnknownTerminalItem
          key={terminal.terminal_id}
          terminal={terminal}
          suggestion={t('setup.name', { number: vehicles + index + 1 })}
        />
      ))}
      <div className="setup-actions">
        <Button onPress={() => app.view.setState({ overlay: 'add_vehicle' })}>
          {t('vehicle.add_by_terminal')}
        </Button>
      </div>
    </>
  );
}

function UnknownTerminalItem({ terminal, suggestion }: { terminal: UnknownTerminal; suggestion: string }) {
  const t = useT();
  const now = useNow();
  const [name, setName] = useState<string | null>(null);
  const { add, mayAdd, fault } = useAddTerminal(terminal.terminal_id, NO_GROUPS, () => undefined);
  const chosen = name ?? suggestion;

  return (
    <div className="unknown-terminal">
      <span className="strong ellipsis">{terminal.terminal_id}</span>
      <span className="quiet ellipsis">
        {fault ??
          t('setup.unknown_terminal_heard', {
            protocol: t(protocolKey(terminal.protocol)),
            count: terminal.messages,
            age: formatAge(now - Date.parse(terminal.last_seen_at)),
          })}
      </span>
      <TextField
        size="small"
        hiddenLabel
        label={t('vehicle.name')}
        value={chosen}
        onChange={setName}
        maxLength={120}
      />
      <Button
        size="small"
        kind="primary"
        disabled={!mayAdd || chosen.trim() === ''}
        onPress={() => add(chosen.trim())}
      >
        {t('setup.add')}
      </Button>
    </div>
  );
}

function protocolKey(protocol: string): TextKey {
  switch (protocol) {
    case 'teltonika':
    case 'wialon':
    case 'jt808':
    case 'jt1078':
    case 'osmand':
      return `protocol.${protocol}`;
    default:
      return 'protocol.other';
  }
}
