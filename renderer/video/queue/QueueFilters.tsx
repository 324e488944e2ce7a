import { useT } from '../../i18n/useT.ts';
import { Choice } from '../../ui/Select.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { VehiclePicker } from '../../vehicles/VehiclePicker.tsx';
import { QUEUE_ASKERS, QUEUE_STATES, type QueueFilter } from './queueAddress.ts';

/** What narrows the queue of videos. */
export function QueueFilters({
  filter,
  onChange,
}: {
  filter: QueueFilter;
  onChange: (part: Partial<QueueFilter>) => void;
}) {
  const t = useT();
  return (
    <div className="tasks__filters" role="group" aria-label={t('tasks.filters')}>
      <Choice
        label={t('tasks.column.state')}
        value={filter.state}
        options={QUEUE_STATES.map((id) => ({ id, label: t(`tasks.state.${id}`) }))}
        onChange={(state) => onChange({ state })}
      />
      <VehiclePicker
        single
        label={t('list.column.vehicle')}
        value={filter.vehicleId === null ? [] : [filter.vehicleId]}
        onChange={([vehicleId]) => onChange({ vehicleId: vehicleId ?? null })}
      />
      <Choice
        label={t('tasks.column.asker')}
        value={filter.asker}
        options={QUEUE_ASKERS.map((id) => ({ id, label: t(`tasks.asker.${id}`) }))}
        onChange={(asker) => onChange({ asker })}
      />
      <Toggle
        label={t('tasks.important_only')}
        on={filter.important}
        onChange={(important) => onChange({ important })}
      />
    </div>
  );
}
