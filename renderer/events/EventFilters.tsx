import { eventKind } from '../../server/contract/events.ts';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { useT } from '../i18n/useT.ts';
import { Choice } from '../ui/Select.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { AddressPeriod } from './AddressPeriod.tsx';
import type { EventsAddress } from './eventsAddress.ts';

/** Stands for "not narrowed" in a list of choices, where nothing is no id. */
const ALL = 'all';

export function EventFilters({
  address,
  onChange,
}: {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
}) {
  const t = useT();
  return (
    <>
      <Choice
        label={t('events.kind')}
        value={address.kind ?? ALL}
        options={[
          { id: ALL, label: t('events.kind_all') },
          ...eventKind.options.map((id) => ({ id, label: t(`alarm.${id}`) })),
        ]}
        onChange={(id) => onChange({ kind: id === ALL ? null : id })}
      />
      <VehiclePicker
        single
        label={t('list.column.vehicle')}
        value={address.vehicle === null ? [] : [address.vehicle]}
        onChange={([vehicle]) => onChange({ vehicle: vehicle ?? null })}
      />
      <GeofencePicker
        single
        label={t('events.geofence')}
        value={address.geofence === null ? [] : [address.geofence]}
        onChange={([geofence]) => onChange({ geofence: geofence ?? null })}
      />
      <AddressPeriod address={address} onChange={onChange} />
    </>
  );
}
