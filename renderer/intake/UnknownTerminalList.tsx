import { useState } from 'react';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import {
  MoreUnknownTerminals,
  useAddTerminal,
  useUnknownTerminals,
} from '../vehicles/manage/unknownTerminals.tsx';
import { Ago } from '../ui/Moment.tsx';
import { protocolName } from './protocolName.ts';

/** Unknown terminals: each can be inspected, and gets a vehicle by one click. */
export function UnknownTerminalList({ onShow }: { onShow: (terminalId: string) => void }) {
  const t = useT();
  const unknownTerminals = useUnknownTerminals();
  const [added, setAdded] = useState<readonly Vehicle[]>([]);
  if (unknownTerminals.count === 0 && added.length === 0) return null;
  return (
    <section className="intake__part">
      <h2>
        {unknownTerminals.count === 0
          ? t('intake.no_unknown_terminals')
          : t('vehicles.unknown_terminals', { count: unknownTerminals.count })}
      </h2>
      <ul>
        {unknownTerminals.listed.map((terminal) => (
          <UnknownTerminalItem
            key={terminal.terminal_id}
            terminal={terminal}
            onShow={onShow}
            onAdded={(vehicle) => setAdded((before) => [...before, vehicle])}
          />
        ))}
      </ul>
      <MoreUnknownTerminals unknownTerminals={unknownTerminals} />
      <div role="status" className="intake__news">
        {added.map((vehicle) => (
          <Added key={vehicle.vehicle_id} vehicle={vehicle} />
        ))}
      </div>
    </section>
  );
}

function UnknownTerminalItem({
  terminal,
  onShow,
  onAdded,
}: {
  terminal: UnknownTerminal;
  onShow: (terminalId: string) => void;
  onAdded: (vehicle: Vehicle) => void;
}) {
  const t = useT();
  const { terminal_id, messages, address, last_seen_at } = terminal;
  const { add, mayAdd, fault } = useAddTerminal(terminal_id, [], onAdded);
  return (
    <li className="unknown-terminal-item">
      <span className="strong ellipsis" title={terminal_id}>
        {terminal_id}
      </span>
      <span className="quiet ellipsis">
        {fault ?? (
          <>
            {protocolName(terminal.protocol, t)}, {t('setup.messages', { count: messages })},{' '}
            <Ago since={Date.parse(last_seen_at)} />
            {address !== null && `, ${address}`}
          </>
        )}
      </span>
      <Button
        size="small"
        label={t('intake.show_terminal', { terminal: terminal_id })}
        onPress={() => onShow(terminal_id)}
      >
        {t('intake.show')}
      </Button>
      <Button
        size="small"
        label={t('vehicles.unknown_terminal_add', { terminal: terminal_id })}
        disabled={!mayAdd}
        onPress={() => add()}
      >
        {t('setup.add')}
      </Button>
    </li>
  );
}

/** A vehicle that was just made, with the way to its form. */
function Added({ vehicle }: { vehicle: Vehicle }) {
  const { navigation } = useAppContext();
  const t = useT();
  return (
    <p>
      {t('intake.added', { vehicle: vehicle.name, terminal: vehicle.terminal_id })}{' '}
      <a className="in-accent intake__link" href={navigation.linkTo('vehicles', { id: vehicle.vehicle_id })}>
        {t('intake.open_vehicle')}
      </a>
    </p>
  );
}
