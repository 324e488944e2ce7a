import { useStore } from 'zustand';
import type { UnknownTerminal } from '../../../server/contract/positions.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { useAddTerminal } from './useAddTerminal.ts';

/** Terminals that are listed; on the bad day when a whole fleet is unknown, the rest is imported. */
const LISTED = 8;

/** Terminals that knock without a vehicle: one click gives one a vehicle, whose form then opens. */
export function KnockingNow({
  groupIds,
  onAdded,
}: {
  groupIds: readonly string[];
  onAdded: (vehicle: Vehicle) => void;
}) {
  const { knocking } = useDesk();
  const say = useText();
  const byId = useStore(knocking.store, (state) => state.byId);
  if (byId.size === 0) return null;
  const terminals = [...byId.values()].sort((a, b) => (a.first_seen_at < b.first_seen_at ? -1 : 1));
  return (
    <div className="manage__section">
      <h3>{say('vehicles.knocking', { count: byId.size })}</h3>
      <ul>
        {terminals.slice(0, LISTED).map((terminal) => (
          <Knocker key={terminal.terminal_id} terminal={terminal} groupIds={groupIds} onAdded={onAdded} />
        ))}
      </ul>
    </div>
  );
}

function Knocker({
  terminal,
  groupIds,
  onAdded,
}: {
  terminal: UnknownTerminal;
  groupIds: readonly string[];
  onAdded: (vehicle: Vehicle) => void;
}) {
  const say = useText();
  const now = useNow();
  const { add, mayAdd, fault } = useAddTerminal(terminal.terminal_id, groupIds, onAdded);

  return (
    <li className="knock-row">
      <div className="fill">
        <div className="strong ellipsis" title={terminal.terminal_id}>
          {terminal.terminal_id}
        </div>
        <div className="quiet small ellipsis">
          {fault ??
            say('vehicles.knocked', {
              count: terminal.messages,
              age: ageText(now - Date.parse(terminal.last_seen_at)),
            })}
        </div>
      </div>
      <Button
        size="small"
        label={say('vehicles.knock_add', { terminal: terminal.terminal_id })}
        disabled={!mayAdd}
        onPress={add}
      >
        {say('setup.add')}
      </Button>
    </li>
  );
}
