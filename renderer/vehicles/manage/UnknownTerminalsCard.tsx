import type { UnknownTerminal } from '../../../server/contract/positions.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { useUnknownTerminals } from './useUnknownTerminals.ts';
import { MoreUnknownTerminals } from './MoreUnknownTerminals.tsx';
import { useAddTerminal } from './useAddTerminal.ts';

/** Unknown terminals: one click gives one a vehicle, whose form then opens. */
export function UnknownTerminalsCard({
  groupIds,
  onAdded,
}: {
  groupIds: readonly string[];
  onAdded: (vehicle: Vehicle) => void;
}) {
  const t = useT();
  const unknownTerminals = useUnknownTerminals();
  if (unknownTerminals.count === 0) return null;
  return (
    <div className="manage__section">
      <h3>{t('vehicles.unknown_terminals', { count: unknownTerminals.count })}</h3>
      <ul>
        {unknownTerminals.listed.map((terminal) => (
          <UnknownTerminalItem
            key={terminal.terminal_id}
            terminal={terminal}
            groupIds={groupIds}
            onAdded={onAdded}
          />
        ))}
      </ul>
      <MoreUnknownTerminals unknownTerminals={unknownTerminals} />
    </div>
  );
}

function UnknownTerminalItem({
  terminal,
  groupIds,
  onAdded,
}: {
  terminal: UnknownTerminal;
  groupIds: readonly string[];
  onAdded: (vehicle: Vehicle) => void;
}) {
  const t = useT();
  const now = useNow();
  const { add, mayAdd, fault } = useAddTerminal(terminal.terminal_id, groupIds, onAdded);

  return (
    <li className="unknown-terminal-row">
      <div className="fill">
        <div className="strong ellipsis" title={terminal.terminal_id}>
          {terminal.terminal_id}
        </div>
        <div className="quiet small ellipsis">
          {fault ??
            t('vehicles.unknown_terminal_heard', {
              count: terminal.messages,
              age: formatAge(now - Date.parse(terminal.last_seen_at)),
            })}
        </div>
      </div>
      <Button
        size="small"
        label={t('vehicles.unknown_terminal_add', { terminal: terminal.terminal_id })}
        disabled={!mayAdd}
        onPress={add}
      >
        {t('setup.add')}
      </Button>
    </li>
  );
}
