import { Download, Plus, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useStore } from 'zustand';
import { shownStatuses } from '../telemetry/statusStore.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { formatNumber } from '../format/numbers.ts';
import { DriverPanel, NewDriver } from '../drivers/DriverPanel.tsx';
import { DriversTab } from '../drivers/DriversTab.tsx';
import { GroupPanel, NewGroup } from '../groups/GroupPanel.tsx';
import { GroupsTab } from '../groups/GroupsTab.tsx';
import { useT } from '../i18n/useT.ts';
import { NEW } from '../navigation/navigation.ts';
import { ResourceScreen } from '../resources/ResourceScreen.tsx';
import { Button } from '../ui/Button.tsx';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { sortedByName } from '../vehicles/listOrder.ts';
import { showsArchived, useArchivedVehicles } from '../vehicles/manage/archivedVehicles.ts';
import { NewVehicle } from '../vehicles/manage/NewVehicle.tsx';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';
import { csvOf } from '../vehicles/manage/vehicleCsv.ts';
import { VehicleEditPanel } from '../vehicles/manage/VehicleEditPanel.tsx';
import { VehicleImport } from '../vehicles/manage/VehicleImport.tsx';
import { VehiclesTab } from '../vehicles/manage/VehiclesTab.tsx';
import { wanted, type TableFilter } from '../vehicles/manage/vehicleTable.ts';
import '../vehicles/VehiclePanel.css';
import '../vehicles/manage/vehicles.css';

/** Under this width of the window, and beside a panel, the table leaves out what can be read in the panel. */
const WIDE_PX = 1_300;

const TABS = ['vehicles', 'drivers', 'groups'] as const;

/** All vehicles, drivers and groups of the depot: to be found, read, changed, brought in and taken out. */
export function VehiclesScreen() {
  const app = useAppContext();
  const t = useT();
  const { query } = useStore(app.navigation.store);
  const byId = useStore(app.vehicles.store, (state) => state.byId);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const drivers = useStore(app.drivers.store, (state) => state.byId.size);
  const [imports, setImports] = useState(false);
  const { width } = useWindowSize();
  const lost = useLostSince() !== null;
  const { mayWrite, isDealer } = vehicleRights(app);

  const tab = TABS.find((it) => it === query['tab']) ?? 'vehicles';
  const id = query['id'] ?? null;
  const filter: TableFilter = {
    text: query['q'] ?? '',
    status: shownStatuses.find((it) => it === query['status']) ?? null,
    groupId: query['group'] ?? null,
    archived: showsArchived(app),
  };
  const archived = useArchivedVehicles(tab === 'vehicles' && filter.archived === true);
  const vehicles = useMemo(() => sortedByName(byId.values()), [byId]);
  const open = (next: string | null) => app.navigation.note({ id: next, card: null });
  const addDriver = (card: string | null) => app.navigation.note({ id: NEW, card });
  const close = () => open(null);
  const setFilter = (next: Partial<TableFilter>) => {
    app.navigation.note({
      ...(next.text === undefined ? {} : { q: next.text === '' ? null : next.text }),
      ...('status' in next ? { status: next.status ?? null } : {}),
      ...('groupId' in next ? { group: next.groupId ?? null } : {}),
      ...('archived' in next ? { archived: next.archived ? '1' : null, status: null, id: null } : {}),
    });
  };

  const exportShown = () => {
    const listed = filter.archived === true ? archived.vehicles : vehicles;
    const visible = wanted(listed, filter, app.statuses.getState().byVehicle);
    void app.platform.saveFile('vehicles.csv', new Blob([csvOf(visible)], { type: 'text/csv' }));
  };

  const side =
    id === null ? null : tab === 'vehicles' ? (
      id === NEW && mayWrite ? (
        <NewVehicle groupId={filter.groupId} onClose={close} onAdded={({ vehicle_id }) => open(vehicle_id)} />
      ) : (
        <VehicleEditPanel key={id} vehicleId={id} onClose={close} />
      )
    ) : tab === 'drivers' ? (
      id === NEW && mayWrite ? (
        <NewDriver
          card={query['card'] ?? null}
          groupIds={isDealer ? [] : [...groups.keys()].slice(0, 1)}
          onClose={close}
          onAdded={({ driver_id }) => open(driver_id)}
        />
      ) : (
        <DriverPanel driverId={id} onClose={close} />
      )
    ) : id === NEW && isDealer ? (
      <NewGroup onClose={close} onAdded={({ group_id }) => open(group_id)} />
    ) : (
      <GroupPanel
        groupId={id}
        vehicles={vehicles}
        onClose={close}
        onShowVehicles={() => app.navigation.note({ tab: null, id: null, group: id, status: null })}
      />
    );

  return (
    <ResourceScreen side={side} onClose={close}>
      <Tabs
        className="pane manage__main"
        selectedKey={tab}
        onSelectionChange={(key) =>
          app.navigation.note({ tab: key === 'vehicles' ? null : String(key), id: null, card: null })
        }
      >
        <section className="manage__tabs" aria-label={t('vehicles.screen')} data-pane tabIndex={-1}>
          <div className="pane__head">
            <TabList className="manage__tab-list" aria-label={t('vehicles.tabs')}>
              <Tab id="vehicles" className="manage__tab">
                {t('list.title')} <span className="faint">{formatNumber(byId.size)}</span>
              </Tab>
              <Tab id="drivers" className="manage__tab">
                {t('drivers.title')} <span className="faint">{formatNumber(drivers)}</span>
              </Tab>
              <Tab id="groups" className="manage__tab">
                {t('groups.title')} <span className="faint">{formatNumber(groups.size)}</span>
              </Tab>
            </TabList>
            <span className="fill" />
            {tab === 'vehicles' ? (
              <>
                <Button size="small" icon={Download} disabled={byId.size === 0} onPress={exportShown}>
                  {t('vehicles.export')}
                </Button>
                {mayWrite && (
                  <>
                    <Button size="small" icon={Upload} disabled={lost} onPress={() => setImports(true)}>
                      {t('vehicles.import')}
                    </Button>
                    <Button size="small" kind="primary" icon={Plus} disabled={lost} onPress={() => open(NEW)}>
                      {t('vehicle.add')}
                    </Button>
                  </>
                )}
              </>
            ) : tab === 'drivers' ? (
              mayWrite && (
                <Button
                  size="small"
                  kind="primary"
                  icon={Plus}
                  disabled={lost}
                  onPress={() => addDriver(null)}
                >
                  {t('drivers.add')}
                </Button>
              )
            ) : (
              isDealer && (
                <Button size="small" kind="primary" icon={Plus} disabled={lost} onPress={() => open(NEW)}>
                  {t('groups.add')}
                </Button>
              )
            )}
          </div>
          <TabPanel id="vehicles" className="manage__body">
            <VehiclesTab
              vehicles={filter.archived === true ? archived.vehicles : vehicles}
              archived={filter.archived === true ? archived : null}
              filter={filter}
              onFilterChange={setFilter}
              selectedId={id}
              onSelect={open}
              onAdd={() => open(NEW)}
              onImport={() => setImports(true)}
              narrow={width < WIDE_PX || id !== null}
            />
          </TabPanel>
          <TabPanel id="drivers" className="manage__body">
            <DriversTab vehicles={vehicles} selectedId={id} onSelect={open} onAdd={addDriver} />
          </TabPanel>
          <TabPanel id="groups" className="manage__body">
            <GroupsTab vehicles={vehicles} selectedId={id} onSelect={open} onAdd={() => open(NEW)} />
          </TabPanel>
        </section>
      </Tabs>
      {imports && <VehicleImport onClose={() => setImports(false)} />}
    </ResourceScreen>
  );
}
