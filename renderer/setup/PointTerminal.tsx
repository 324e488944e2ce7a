import { useStore } from 'zustand';
import type { Status } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { intakeAddress, intakePorts } from './intakePorts.ts';

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
