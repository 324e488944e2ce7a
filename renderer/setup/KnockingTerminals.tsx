import { useState } from 'react';
import { useStore } from 'zustand';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useNow } from '../desk/useMoment.ts';
import { ageText } from '../format/age.ts';
import type { TextKey } from '../i18n/text.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';
import { inOrderOfKnock } from '../vehicles/manage/useKnocking.ts';

/** Terminals that knock without a vehicle: one click each gives them one. */
export function KnockingTerminals() {
  const desk = useDesk();
  const say = useText();
  const knocking = useStore(desk.knocking.store, (state) => state.byId);
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId.size);
  const terminals = inOrderOfKnock(knocking.values());
  return (
    <>
      {terminals.length === 0 && (
        <p className="quiet">
          {vehicles === 0 ? say('setup.nobody_knocks') : say('setup.vehicles', { count: vehicles })}
        </p>
      )}
      {terminals.map((terminal, index) => (
        <Knocker
          key={terminal.terminal_id}
          terminal={terminal}
          suggestion={say('setup.name', { number: vehicles + index + 1 })}
        />
      ))}
      <div className="setup-actions">
        <Button onPress={() => desk.view.setState({ overlay: 'add_vehicle' })}>
          {say('vehicle.add_by_terminal')}
        </Button>
      </div>
    </>
  );
}

function Knocker({ terminal, suggestion }: { terminal: UnknownTerminal; suggestion: string }) {
  const desk = useDesk();
  const say = useText();
  const now = useNow();
  const [name, setName] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const chosen = name ?? suggestion;

  const add = async () => {
    setBusy(true);
    try {
      await desk.vehicleActions.create({ terminal_id: terminal.terminal_id, name: chosen.trim() });
    } catch (error) {
      setFault(sentenceOf(error, say, { already_exists: say('vehicle.exists') }));
      setBusy(false);
    }
  };

  return (
    <div className="knocker">
      <span className="strong ellipsis">{terminal.terminal_id}</span>
      <span className="quiet ellipsis">
        {fault ??
          say('setup.knocked', {
            protocol: say(protocolKey(terminal.protocol)),
            count: terminal.messages,
            age: ageText(now - Date.parse(terminal.last_seen_at)),
          })}
      </span>
      <TextField
        size="small"
        hiddenLabel
        label={say('vehicle.name')}
        value={chosen}
        onChange={setName}
        maxLength={120}
      />
      <Button size="small" kind="primary" disabled={busy || chosen.trim() === ''} onPress={() => void add()}>
        {say('setup.add')}
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
