import { useText } from '../../i18n/useText.ts';
import { Choice } from '../../ui/Choice.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { VehiclePicker } from '../../vehicles/VehiclePicker.tsx';
import { QUEUE_ASKERS, QUEUE_STATES, type QueueWish } from './queueAddress.ts';

/** What narrows the queue of videos. */
export function QueueFilters({
  wish,
  onChange,
}: {
  wish: QueueWish;
  onChange: (part: Partial<QueueWish>) => void;
}) {
  const say = useText();
  return (
    <div className="tasks__filters" role="group" aria-label={say('tasks.filters')}>
      <Choice
        label={say('tasks.column.state')}
        value={wish.state}
        options={QUEUE_STATES.map((id) => ({ id, label: say(`tasks.state.${id}`) }))}
        onChange={(state) => onChange({ state })}
      />
      <VehiclePicker
        single
        label={say('list.column.vehicle')}
        value={wish.vehicleId === null ? [] : [wish.vehicleId]}
        onChange={([vehicleId]) => onChange({ vehicleId: vehicleId ?? null })}
      />
      <Choice
        label={say('tasks.column.asker')}
        value={wish.asker}
        options={QUEUE_ASKERS.map((id) => ({ id, label: say(`tasks.asker.${id}`) }))}
        onChange={(asker) => onChange({ asker })}
      />
      <Toggle
        label={say('tasks.important_only')}
        on={wish.important}
        onChange={(important) => onChange({ important })}
      />
    </div>
  );
}
