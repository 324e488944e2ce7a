import { severity } from '../../server/contract/rules.ts';
import { useT } from '../i18n/useT.ts';
import { Choice } from '../ui/Select.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { AddressPeriod } from './AddressPeriod.tsx';
import { NOTIFICATION_STATES, type EventsAddress } from './eventsAddress.ts';
import { useRuleNames } from './useRuleNames.ts';

/** Stands for "not narrowed" in a list of choices, where nothing is no id. */
const ALL = 'all';

export function NotificationFilters({
  address,
  onChange,
}: {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
}) {
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
      <VehiclePicker
        single
        label={t('list.column.vehicle')}
        value={address.vehicle === null ? [] : [address.vehicle]}
        onChange={([vehicle]) => onChange({ vehicle: vehicle ?? null })}
      />
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
