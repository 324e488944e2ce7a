import type { UnknownTerminal } from '../../../server/contract/positions.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { useKnocking } from './useKnocking.ts';
import { MoreKnock } from './MoreKnock.tsx';
import { useAddTerminal } from './useAddTerminal.ts';

/** Terminals that knock without a vehicle: one click gives one a vehicle, whose form then opens. */
export function KnockingNow({
  groupIds,
  onAdded,
}: {
  groupIds: readonly string[];
  onAdded: (vehicle: Vehicle) => void;
}) {
  const say = useText();
  const knocking = useKnocking();
  if (knocking.count === 0) return null;
  return (
    <div className="manage__section">
      <h3>{say('vehicles.knocking', { count: knocking.count })}</h3>
      <ul>
        {knocking.listed.map((terminal) => (
          <Knocker key={terminal.terminal_id} terminal={terminal} groupIds={groupIds} onAdded={onAdded} />
        ))}
      </ul>
      <MoreKnock knocking={knocking} />
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
