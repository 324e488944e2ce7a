import { useState } from 'react';
import { useStore } from 'zustand';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import type { TextKey } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/TextField.tsx';
import { byLastSeen, useAddTerminal } from '../vehicles/manage/unknownTerminals.tsx';

const NO_GROUPS: readonly string[] = [];

/** Unknown terminals: one click gives each a vehicle. */
export function UnknownTerminals() {
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
