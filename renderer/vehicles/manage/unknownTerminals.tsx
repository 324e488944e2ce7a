import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { UnknownTerminal } from '../../../server/contract/positions.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince, useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { useAction } from '../../resources/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { compareValues } from '../../../server/contract/compareValues.ts';

/** Terminals that are listed at first: on the day when a whole fleet is unknown, it is imported. */
const LISTED = 8;

/** Unknown terminals: how many, and the first of them, until all are wanted. */
export function useUnknownTerminals() {
  const { unknownTerminals } = useAppContext();
  const byId = useStore(unknownTerminals.store, (state) => state.byId);
  const [isWhole, setIsWhole] = useState(false);
  const terminals = useMemo(() => byLastSeen(byId.values()), [byId]);
  return {
    count: terminals.length,
    listed: isWhole ? terminals : terminals.slice(0, LISTED),
    listAll: () => setIsWhole(true),
  };
}

/** As they came, those of one moment by their IDs: a row keeps its place whatever its terminal sends next. */
export function byLastSeen(terminals: Iterable<UnknownTerminal>): UnknownTerminal[] {
  return [...terminals].sort((a, b) => {
    if (a.first_seen_at === b.first_seen_at) return compareValues(a.terminal_id, b.terminal_id);
    return a.first_seen_at < b.first_seen_at ? -1 : 1;
  });
}

/** The first of the numbered names after the number of what there is that nobody bears. */
export function nextFreeName(taken: readonly string[], nameOf: (number: number) => string): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = taken.length + 1; ; number += 1) {
    const name = nameOf(number);
    if (!known.has(name.toLowerCase())) return name;
  }
}

/** Gives an unknown terminal a vehicle, by default with the next free name. */
export function useAddTerminal(
  terminalId: string,
  groupIds: readonly string[],
  onAdded: (vehicle: Vehicle) => void,
) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const { busy, sentence, run } = useAction();
  const add = (name?: string) =>
    void run(
      async () => {
        const names = [...app.vehicles.store.getState().byId.values()].map((it) => it.name);
        const added = await app.vehicleActions.create({
          terminal_id: terminalId,
          name: name ?? nextFreeName(names, (number) => t('setup.name', { number })),
          group_ids: [...groupIds],
        });
        app.vehicles.put([added]);
        app.unknownTerminals.remove([terminalId]);
        onAdded(added);
      },
      { texts: { already_exists: t('vehicle.exists') } },
    );
  return { add, mayAdd: !busy && !lost, fault: sentence };
}

/** Below the listed ones: how many more unknown terminals there are, and a link to them. */
export function MoreUnknownTerminals({
  unknownTerminals: { count, listed, listAll },
}: {
  unknownTerminals: ReturnType<typeof useUnknownTerminals>;
}) {
  const t = useT();
  if (count === listed.length) return null;
  return (
    <p className="quiet unknown-terminal-more">
      {t('vehicles.unknown_terminals_more', { number: formatNumber(count - listed.length) })}
      <Button size="small" onPress={listAll}>
        {t('vehicles.unknown_terminals_all')}
      </Button>
    </p>
  );
}

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
        onPress={() => add()}
      >
        {t('setup.add')}
      </Button>
    </li>
  );
}
