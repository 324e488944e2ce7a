import { useStore } from 'zustand';
import type { Status } from '../../server/contract/settings.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { intakeAddress, intakePorts } from './intakePorts.ts';

/** Where to point a terminal, and who knocks already. */
export function PointTerminal({ status }: { status: Status }) {
  const desk = useDesk();
  const say = useText();
  const knocking = useStore(desk.knocking.store, (state) => state.byId);
  const { address, onlyHere } = intakeAddress(status);
  return (
    <>
      <p className="quiet">{say('setup.point_how')}</p>
      <div className="setup-address">
        <code>{address}</code>
        <CopyButton text={address} />
      </div>
      {onlyHere && (
        <div className="setup-address">
          <span className="quiet">{say('setup.only_here')}</span>
          <Button size="small" onPress={() => desk.navigation.go('settings', { tab: 'terminals' })}>
            {say('setup.open_terminals')}
          </Button>
        </div>
      )}
      <table className="setup-ports">
        <tbody>
          {intakePorts(status, knocking.values()).map((it) => (
            <tr key={it.protocol}>
              <th scope="row">{say(`protocol.${it.protocol}`)}</th>
              <td className="strong">{it.port}</td>
              <td>
                <CopyButton text={`${address}:${it.port}`} />
              </td>
              <td className={it.knocking > 0 ? 'in-accent strong' : 'faint'}>
                {it.knocking > 0
                  ? say('setup.knocking', { count: it.knocking })
                  : it.messages > 0
                    ? say('setup.messages', { count: it.messages })
                    : say('setup.nothing_yet')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
