import { IdCard } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Driver } from '../../server/contract/drivers.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { openRowMenu } from '../commands/contextMenus.ts';
import { dateField } from '../format/depotMoment.ts';
import { useT } from '../i18n/useT.ts';
import { ResourceList } from '../resources/ResourceScreen.tsx';
import { Button } from '../ui/Button.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Notice } from '../ui/Notice.tsx';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';
import { driverSearch } from '../search/searches.ts';
import { PhoneLink } from './DriverName.tsx';
import './drivers.css';

const SKELETON = [
  [120, 90, 80, 100],
  [90, 90, 80, 60],
] as const;

interface DriverLine {
  driver: Driver;
  /** The vehicles that the driver drives now. */
  vehicles: string;
}

/** All drivers who may be seen, and cards that terminals read and nobody is known to have. */
export function DriversTab({
  selectedId,
  vehicles,
  onAdd,
  onSelect,
}: {
  selectedId: string | null;
  vehicles: readonly Vehicle[];
  onSelect: (driverId: string) => void;
  /** Of a card, of which somebody is to be known. */
  onAdd: (card: string | null) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { timeZone } = useDepotTime();
  const today = dateField(useNow(), timeZone);
  const { byId, load } = useStore(app.drivers.store);
  const [text, setText] = useState('');
  const { mayWrite } = vehicleRights(app);
  const isNarrow = selectedId !== null;
  const columns = useMemo((): Column<DriverLine>[] => {
    const all: Column<DriverLine>[] = [
      {
        id: 'name',
        head: t('vehicle.name'),
        value: ({ driver }) => driver.name,
        cell: ({ driver }) => (
          <span className="strong" title={driver.name}>
            {driver.name}
          </span>
        ),
        width: 'minmax(140px, 1.2fr)',
      },
      {
        id: 'phone',
        head: t('vehicle.phone'),
        value: ({ driver }) => driver.phone,
        cell: ({ driver }) => driver.phone !== null && <PhoneLink phone={driver.phone} />,
        width: 'minmax(140px, 0.8fr)',
      },
      {
        id: 'vehicle',
        head: t('drivers.column.vehicle'),
        value: ({ vehicles: driven }) => (driven === '' ? null : driven),
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'cards',
        head: t('drivers.cards'),
        value: ({ driver }) => driver.cards.map((it) => it.number).join(', ') || null,
        width: 'minmax(120px, 1fr)',
      },
      {
        id: 'licence',
        head: t('drivers.licence'),
        value: ({ driver }) => driver.licence_number,
        width: 'minmax(96px, 0.8fr)',
      },
      {
        id: 'expires',
        head: t('drivers.column.expires'),
        value: ({ driver }) => driver.licence_expires,
        cell: ({ driver: { licence_expires: day } }) =>
          day !== null && (
            <span className={day < today ? 'strong' : ''}>
              {day < today ? t('drivers.expired', { day }) : day}
            </span>
          ),
        width: '160px',
      },
    ];
    return isNarrow ? all.slice(0, 3) : all;
  }, [t, today, isNarrow]);
  const driven = useMemo(() => drivenBy(vehicles), [vehicles]);
  const rows = useMemo(() => {
    return driverSearch
      .filter(byId, text)
      .map((driver) => ({ driver, vehicles: driven.get(driver.driver_id)?.join(', ') ?? '' }));
  }, [byId, driven, text]);

  return (
    <>
      {mayWrite && <UnknownCards vehicles={vehicles} onAdd={onAdd} />}
      <ResourceList
        name={t('drivers.title')}
        columns={columns}
        rows={rows}
        total={byId.size}
        keyOf={keyOf}
        load={load}
        onRetry={() => app.retry('drivers')}
        selectedKey={selectedId}
        onSelect={({ driver }) => onSelect(driver.driver_id)}
        onMenu={({ driver: { driver_id: id, name } }, at) => openRowMenu(app, 'driver', { id, name }, at)}
        asked={text}
        typed={text}
        onType={setText}
        texts={{
          search: t('drivers.search'),
          placeholder: t('drivers.find'),
          loading: t('drivers.loading_all'),
          failed: t('drivers.failed'),
          failedStill: t('groups.failed_still'),
          stale: t('drivers.stale'),
        }}
        skeleton={SKELETON}
        empty={
          <Notice
            icon={IdCard}
            title={t('drivers.empty')}
            actions={
              mayWrite ? (
                <Button kind="primary" onPress={() => onAdd(null)}>
                  {t('drivers.add')}
                </Button>
              ) : undefined
            }
          >
            {t('drivers.empty_how')}
          </Notice>
        }
        noMatch={{
          title: t('drivers.filtered', { text: text.trim() }),
          back: t('drivers.show_all'),
          onBack: () => setText(''),
        }}
      />
    </>
  );
}

const keyOf = ({ driver }: DriverLine): string => driver.driver_id;

/** The names of the vehicles that each driver drives now. */
function drivenBy(vehicles: readonly Vehicle[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name, current_driver } of vehicles) {
    const id = current_driver?.driver_id ?? null;
    if (id !== null) found.set(id, [...(found.get(id) ?? []), name]);
  }
  return found;
}

/** Cards in use now that no driver has. */
function UnknownCards({ vehicles, onAdd }: { vehicles: readonly Vehicle[]; onAdd: (card: string) => void }) {
  const t = useT();
  const lost = useLostSince() !== null;
  const unknown = vehicles.flatMap(({ vehicle_id, name, current_driver }) =>
    current_driver?.driver_id === null && current_driver.card !== null
      ? [{ vehicle_id, name, card: current_driver.card }]
      : [],
  );
  if (unknown.length === 0) return null;
  return (
    <section className="unknown-cards" aria-label={t('drivers.unknown_cards')}>
      <h3>{t('drivers.unknown_cards')}</h3>
      <ul className="driver-drives__list">
        {unknown.slice(0, 5).map(({ vehicle_id, name, card }) => (
          <li key={vehicle_id} className="driver-assignment">
            <span className="strong num">{card}</span>
            <span className="quiet fill">{t('drivers.in_vehicle', { vehicle: name })}</span>
            <Button size="small" disabled={lost} onPress={() => onAdd(card)}>
              {t('drivers.add_for_card')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
