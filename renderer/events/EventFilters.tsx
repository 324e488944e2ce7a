import { useMemo } from 'react';
import { eventKind } from '../../server/contract/events.ts';
import { severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { useT } from '../i18n/useT.ts';
import { PeriodField } from '../ui/PeriodField.tsx';
import { Choice } from '../ui/Select.tsx';
import { namedPeriod } from '../ui/period.ts';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { type EventsAddress, NOTIFICATION_STATES, vehiclesOf } from './eventsAddress.ts';
import { useRuleNames } from '../rules/ruleList.ts';

/** Stands for "not narrowed" in a list of choices, where nothing is no id. */
const ALL = 'all';

interface FilterProps {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
}

export function EventFilters({ address, onChange }: FilterProps) {
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
      <AddressVehicle address={address} onChange={onChange} />
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

function AddressVehicle({ address, onChange }: FilterProps) {
  const t = useT();
  const count = vehiclesOf(address).length;
  return (
    <VehiclePicker
      single
      label={t('list.column.vehicle')}
      // Several come from their selection; whoever picks one here has that alone.
      {...(count > 1 ? { unknownName: t('why.rule.scope_vehicles', { count }) } : {})}
      value={address.vehicle === null ? [] : [address.vehicle]}
      onChange={([vehicle]) => onChange({ vehicle: vehicle ?? null })}
    />
  );
}

/** As long as events are kept by default. */
const LONGEST_DAYS = 730;

/** The period of the address; a usual one keeps its name, so that it goes on with the time. */
function AddressPeriod({ address: { view, period }, onChange }: FilterProps) {
  const app = useAppContext();
  const time = useDepotTime();
  const value = useMemo(
    () => (typeof period === 'string' ? namedPeriod(period, app.serverTime.now(), time) : period),
    [period, app, time],
  );
  return (
    <PeriodField
      key={view}
      value={value}
      maxDays={LONGEST_DAYS}
      hasAll
      onChange={(next) => onChange({ period: next.name ?? next })}
    />
  );
}

export function NotificationFilters({ address, onChange }: FilterProps) {
  const t = useT();
  const rules = useRuleNames();
  return (
    <>
      <Choice
        label={t('events.state')}
        value={address.state}
        options={NOTIFICATION_STATES.map((id) => ({ id, label: t(`events.state.${id}`) }))}
        onChange={(state) => onChange({ state })}
      />
      <Choice
        label={t('events.severity')}
        value={address.severity ?? ALL}
        options={[
          { id: ALL, label: t('events.severity_all') },
          ...[...severity.options].reverse().map((id) => ({ id, label: t(`severity.${id}`) })),
        ]}
        onChange={(id) => onChange({ severity: id === ALL ? null : id })}
      />
      <AddressVehicle address={address} onChange={onChange} />
      <Choice
        label={t('events.rule')}
        value={address.rule ?? ALL}
        options={[
          { id: ALL, label: t('events.rule_all') },
          ...(address.rule !== null && !rules.has(address.rule)
            ? [{ id: address.rule, label: t('events.rule_gone') }]
            : []),
          ...[...rules].map(([id, label]) => ({ id, label })),
        ]}
        onChange={(id) => onChange({ rule: id === ALL ? null : id })}
      />
      <AddressPeriod address={address} onChange={onChange} />
    </>
  );
}
