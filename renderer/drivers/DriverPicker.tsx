import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MultiSelect } from '../ui/MultiSelect.tsx';

const names = new Intl.Collator('en', { numeric: true });

/** One of the drivers, found by typing a part of the name, phone or card; null: none. */
export function DriverPicker({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | null;
  onChange: (driverId: string | null) => void;
}) {
  const { drivers } = useAppContext();
  const t = useT();
  const byId = useStore(drivers.store, (state) => state.byId);
  const items = useMemo(
    () =>
      [...byId.values()]
        .sort((a, b) => names.compare(a.name, b.name))
        .map((it) => ({ id: it.driver_id, name: it.name, detail: it.phone ?? it.cards[0]?.number ?? '' })),
    [byId],
  );
  return (
    <MultiSelect
      single
      label={label}
      items={items}
      value={value === null ? [] : [value]}
      onChange={([driverId = null]) => onChange(driverId)}
      placeholder={t('drivers.find')}
    />
  );
}
