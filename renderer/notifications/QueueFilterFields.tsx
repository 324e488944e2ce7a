import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { QueueFilter } from '../../server/contract/preferences.ts';
import type { Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MultiSelect } from '../ui/MultiSelect.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';

const SEVERITIES = ['alarm', 'warning', 'info'] as const satisfies readonly Severity[];

/** The severities that a filter shows. */
export const severitiesOn = ({ severities }: Pick<QueueFilter, 'severities'>): readonly Severity[] =>
  severities.length === 0 ? SEVERITIES : severities;

/** Those of a filter that shows one more, or one less; with all, it names none. The last one stays. */
export function withSeverity(
  filter: Pick<QueueFilter, 'severities'>,
  id: Severity,
  on: boolean,
): QueueFilter['severities'] {
  const left = SEVERITIES.filter((it) => (it === id ? on : severitiesOn(filter).includes(it)));
  if (left.length === 0) return filter.severities;
  return left.length === SEVERITIES.length ? [] : left;
}

/** By severity, rule and vehicle; each that names nothing leaves nothing out. */
export function QueueFilterFields({
  filter,
  onChange,
}: {
  filter: QueueFilter;
  onChange: (part: Partial<QueueFilter>) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  /** Those of the notifications that are here: others would show nothing. */
  const rules = useMemo(() => {
    const names = new Map<string, string>();
    for (const { rule_id, rule_name } of notifications.values())
      if (rule_id !== null) names.set(rule_id, rule_name);
    return [...names]
      .map(([id, name]) => ({ id, name, detail: '' }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  }, [notifications]);
  return (
    <div className="queue-filter">
      <fieldset>
        <legend className="field__label">{t('queue.filter_severity')}</legend>
        {SEVERITIES.map((id) => (
          <Toggle
            key={id}
            label={t(`severity.${id}`)}
            on={severitiesOn(filter).includes(id)}
            disabled={severitiesOn(filter).length === 1 && severitiesOn(filter).includes(id)}
            onChange={(on) => onChange({ severities: withSeverity(filter, id, on) })}
          />
        ))}
      </fieldset>
      <MultiSelect
        label={t('queue.filter_rules')}
        items={rules}
        value={filter.rule_ids}
        {...(filter.rule_ids.length === 0 ? { placeholder: t('events.rule_all') } : {})}
        onChange={(rule_ids) => onChange({ rule_ids: rule_ids.slice(0, MOST.rules) })}
      />
      <VehiclePicker
        label={t('queue.filter_vehicles')}
        value={filter.vehicle_ids}
        {...(filter.vehicle_ids.length === 0 ? { placeholder: t('rules.scope_all') } : {})}
        onChange={(vehicle_ids) => onChange({ vehicle_ids: vehicle_ids.slice(0, MOST.vehicles) })}
      />
    </div>
  );
}

/** As many as a saved view takes. */
const MOST = { rules: 50, vehicles: 100 } as const;
