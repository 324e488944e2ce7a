import { useState } from 'react';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { useKnocking } from '../vehicles/manage/useKnocking.ts';
import { MoreKnock } from '../vehicles/manage/MoreKnock.tsx';
import { useAddTerminal } from '../vehicles/manage/useAddTerminal.ts';
import { Ago } from './Ago.tsx';
import { protocolName } from './protocolName.ts';

/** Terminals that knock without a vehicle: each can be looked at, and gets a vehicle by one click. */
export function KnockList({ onShow }: { onShow: (terminalId: string) => void }) {
  const say = useText();
  const knocking = useKnocking();
  const [added, setAdded] = useState<readonly Vehicle[]>([]);
  if (knocking.count === 0 && added.length === 0) return null;
  return (
    <section className="intake__part">
      <h2>
        {knocking.count === 0
          ? say('intake.nobody_knocks')
          : say('vehicles.knocking', { count: knocking.count })}
      </h2>
      <ul>
        {knocking.listed.map((terminal) => (
          <Knocker
            key={terminal.terminal_id}
            terminal={terminal}
            onShow={onShow}
            onAdded={(vehicle) => setAdded((before) => [...before, vehicle])}
          />
        ))}
      </ul>
      <MoreKnock knocking={knocking} />
      <div role="status" className="intake__news">
        {added.map((vehicle) => (
          <Added key={vehicle.vehicle_id} vehicle={vehicle} />
        ))}
      </div>
    </section>
  );
}

function Knocker({
  terminal,
  onShow,
  onAdded,
}: {
  terminal: UnknownTerminal;
  onShow: (terminalId: string) => void;
  onAdded: (vehicle: Vehicle) => void;
}) {
  const say = useText();
  const { terminal_id, messages, address, last_seen_at } = terminal;
  const { add, mayAdd, fault } = useAddTerminal(terminal_id, [], onAdded);
  return (
    <li className="intake-knock">
      <span className="strong ellipsis" title={terminal_id}>
        {terminal_id}
      </span>
      <span className="quiet ellipsis">
        {fault ?? (
          <>
            {protocolName(terminal.protocol, say)}, {say('setup.messages', { count: messages })},{' '}
            <Ago since={Date.parse(last_seen_at)} />
            {address !== null && `, ${address}`}
          </>
        )}
      </span>
      <Button
        size="small"
        label={say('intake.show_terminal', { terminal: terminal_id })}
        onPress={() => onShow(terminal_id)}
      >
        {say('intake.show')}
      </Button>
      <Button
        size="small"
        label={say('vehicles.knock_add', { terminal: terminal_id })}
        disabled={!mayAdd}
        onPress={add}
      >
        {say('setup.add')}
      </Button>
    </li>
  );
}

/** A vehicle that was just made, with the way to its form. */
function Added({ vehicle }: { vehicle: Vehicle }) {
  const { navigation } = useDesk();
  const say = useText();
  return (
    <p>
      {say('intake.added', { vehicle: vehicle.name, terminal: vehicle.terminal_id })}{' '}
      <a className="in-accent intake__link" href={navigation.linkTo('vehicles', { id: vehicle.vehicle_id })}>
        {say('intake.open_vehicle')}
      </a>
    </p>
  );
}
