import { useStore } from 'zustand';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Status } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';

/** Where to point a terminal, and which unknown terminals there are. */
export function PointTerminal({ status }: { status: Status }) {
  const app = useAppContext();
  const t = useT();
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId);
  const { address, onlyHere } = intakeAddress(status);
  return (
    <>
      <p className="quiet">{t('setup.point_how')}</p>
      <div className="setup-address">
        <code>{address}</code>
        <CopyButton text={address} />
      </div>
      {onlyHere && (
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
                <CopyButton text={`${address}:${it.port}`} />
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

/** Where terminals reach this machine: on the network, or, while nothing listens there, on this computer alone. */
function intakeAddress(status: Status): { address: string; onlyHere: boolean } {
  const onNetwork = status.addresses.find((address) => address !== '127.0.0.1' && address !== '::1');
  return onNetwork === undefined
    ? { address: '127.0.0.1', onlyHere: true }
    : { address: onNetwork, onlyHere: false };
}
