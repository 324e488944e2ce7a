import type { IntakeDoor, IntakeState } from '../../server/contract/intake.ts';
import { numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Ago } from './Ago.tsx';
import { doorAddress, inOrder, type DoorAddress } from './doorAddress.ts';
import { SpeedUnitChoice } from './SpeedUnitChoice.tsx';
import { transportWords, turnedAwayWords } from './intakeWords.ts';

/** Every door: whom it is for, what to enter in a terminal, who comes by it and who was turned away. */
export function DoorTable({ intake, host }: { intake: IntakeState; host: string }) {
  const say = useText();
  return (
    <table className="doors">
      <caption className="unseen">{say('intake.doors')}</caption>
      <thead>
        <tr>
          <th scope="col">{say('intake.column.for')}</th>
          <th scope="col">{say('intake.column.enter')}</th>
          <th scope="col" className="to-right">
            {say('intake.column.connected')}
          </th>
          <th scope="col" className="to-right">
            {say('intake.column.messages')}
          </th>
          <th scope="col">{say('intake.column.became')}</th>
          <th scope="col">{say('intake.column.turned_away')}</th>
        </tr>
      </thead>
      <tbody>
        {inOrder(intake.doors).map((door) => (
          <tr key={door.name}>
            <th scope="row">
              <span>
                <span className="strong">{say(`protocol.${door.name}`)}</span>{' '}
                <span className="faint small">{transportWords(door, say)}</span>
              </span>
              <span className="quiet">{say(`intake.for.${door.name}`)}</span>
              {door.name === 'osmand' && <SpeedUnitChoice />}
            </th>
            <td>
              <Address address={doorAddress(door, host, intake.media_address)} />
              {door.fault !== null && (
                <p className="doors__fault hatch">{say('intake.door_fault', { fault: door.fault })}</p>
              )}
            </td>
            <td className="to-right">{numberText(door.connections)}</td>
            <td className="to-right">
              {numberText(door.messages)}
              {door.last_message_at !== null && (
                <span className="doors__under">
                  <Ago since={Date.parse(door.last_message_at)} />
                </span>
              )}
            </td>
            <td>
              <Became door={door} />
            </td>
            <td>
              <TurnedAway door={door} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Address({ address }: { address: DoorAddress }) {
  const say = useText();
  switch (address.kind) {
    case 'told':
      return (
        <span className="quiet">
          {say('intake.told')}{' '}
          <code>
            {address.host}:{address.port}
          </code>
        </span>
      );
    case 'url':
      return <Entry name={say('intake.host')} value={address.url} />;
    case 'host_and_port':
      return (
        <div className="doors__entries">
          <Entry name={say('intake.host')} value={address.host} />
          <Entry name={say('intake.port')} value={String(address.port)} />
        </div>
      );
  }
}

function Entry({ name, value }: { name: string; value: string }) {
  return (
    <span className="doors__entry">
      <span className="faint small">{name}</span>
      <code>{value}</code>
      <CopyButton text={value} />
    </span>
  );
}

const BECAME = ['stored', 'merged', 'duplicate', 'refused', 'unknown'] as const;

function Became({ door }: { door: IntakeDoor }) {
  const say = useText();
  const there = BECAME.filter((name) => door[name] > 0);
  if (there.length === 0) return <span className="faint">{say('intake.nothing_yet')}</span>;
  return (
    <ul>
      {there.map((name) => (
        <li key={name}>
          {numberText(door[name])} <span className="quiet">{say(`intake.outcome.${name}`)}</span>
        </li>
      ))}
    </ul>
  );
}

function TurnedAway({ door }: { door: IntakeDoor }) {
  const say = useText();
  const { total, words } = turnedAwayWords(door, say);
  if (total === 0) return <span className="faint">{say('intake.nobody_turned_away')}</span>;
  return (
    <ul>
      {words.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  );
}
