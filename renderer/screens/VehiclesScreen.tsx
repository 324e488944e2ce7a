import { Download, Plus, Upload } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useStore } from 'zustand';
import { vehicleStatus } from '../../server/contract/vehicles.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince } from '../desk/useMoment.ts';
import { numberText } from '../format/numbers.ts';
import { refreshGroups } from '../groups/groupActions.ts';
import { GroupSide } from '../groups/GroupSide.tsx';
import { GroupsTab } from '../groups/GroupsTab.tsx';
import { NewGroup } from '../groups/NewGroup.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { sortedByName } from '../vehicles/listOrder.ts';
import { ImportDialog } from '../vehicles/manage/ImportDialog.tsx';
import { NewVehicle } from '../vehicles/manage/NewVehicle.tsx';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';
import { csvOf } from '../vehicles/manage/vehicleCsv.ts';
import { VehicleSide } from '../vehicles/manage/VehicleSide.tsx';
import { VehiclesTab } from '../vehicles/manage/VehiclesTab.tsx';
import { wanted, type TableWish } from '../vehicles/manage/vehicleTable.ts';
import '../ui/manage.css';
import '../vehicles/VehiclePanel.css';
import '../vehicles/manage/vehicles.css';

/** In place of an id: the panel of what is not there yet. */
const NEW = 'new';
/** Under this width of the window, and beside a panel, the table leaves out what can be read in the panel. */
const WIDE_PX = 1_300;

/** All vehicles and groups of the depot: to be found, read, changed, brought in and taken out. */
export function VehiclesScreen() {
  const desk = useDesk();
  const say = useText();
  const { query } = useStore(desk.navigation.store);
  const byId = useStore(desk.vehicles.store, (state) => state.byId);
  const groups = useStore(desk.groups.store, (state) => state.byId.size);
  const [text, setText] = useState('');
  const [imports, setImports] = useState(false);
  const { width } = useWindowSize();
  const lost = useLostSince() !== null;
  const { mayWrite, isDealer } = vehicleRights(desk);

  const tab = query['tab'] === 'groups' ? 'groups' : 'vehicles';
  const id = query['id'] ?? null;
  const wish: TableWish = {
    text,
    status: vehicleStatus.options.find((it) => it === query['status']) ?? null,
    groupId: query['group'] ?? null,
  };
  const vehicles = useMemo(() => sortedByName(byId.values()), [byId]);
  const open = (next: string | null) => desk.navigation.note({ id: next });
  const close = () => open(null);
  const setWish = (next: Partial<TableWish>) => {
    if (next.text !== undefined) setText(next.text);
    desk.navigation.note({
      ...('status' in next ? { status: next.status ?? null } : {}),
      ...('groupId' in next ? { group: next.groupId ?? null } : {}),
    });
  };

  useEffect(() => refreshGroups(desk), [desk, tab]);
  useEscape(id !== null && !imports, close);

  const exportShown = () => {
    const shown = wanted(vehicles, wish, desk.statuses.getState().byVehicle);
    void desk.platform.saveFile('vehicles.csv', new Blob([csvOf(shown)], { type: 'text/csv' }));
  };

  return (
    <div className="manage">
      <Tabs
        className="pane manage__main"
        selectedKey={tab}
        onSelectionChange={(key) =>
          desk.navigation.note({ tab: key === 'groups' ? 'groups' : null, id: null })
        }
      >
        <section className="manage__tabs" aria-label={say('vehicles.screen')} data-pane tabIndex={-1}>
          <div className="pane__head">
            <TabList className="manage__tab-list" aria-label={say('vehicles.tabs')}>
              <Tab id="vehicles" className="manage__tab">
                {say('list.title')} <span className="faint">{numberText(byId.size)}</span>
              </Tab>
              <Tab id="groups" className="manage__tab">
                {say('groups.title')} <span className="faint">{numberText(groups)}</span>
              </Tab>
            </TabList>
            <span className="fill" />
            {tab === 'vehicles' ? (
              <>
                <Button size="small" icon={Download} disabled={byId.size === 0} onPress={exportShown}>
                  {say('vehicles.export')}
                </Button>
                {mayWrite && (
                  <>
                    <Button size="small" icon={Upload} disabled={lost} onPress={() => setImports(true)}>
                      {say('vehicles.import')}
                    </Button>
                    <Button size="small" kind="primary" icon={Plus} disabled={lost} onPress={() => open(NEW)}>
                      {say('vehicle.add')}
                    </Button>
                  </>
                )}
              </>
            ) : (
              isDealer && (
                <Button size="small" kind="primary" icon={Plus} disabled={lost} onPress={() => open(NEW)}>
                  {say('groups.add')}
                </Button>
              )
            )}
          </div>
          <TabPanel id="vehicles" className="manage__body">
            <VehiclesTab
              vehicles={vehicles}
              wish={wish}
              onWish={setWish}
              selectedId={id}
              onSelect={open}
              onAdd={() => open(NEW)}
              onImport={() => setImports(true)}
              narrow={width < WIDE_PX || id !== null}
            />
          </TabPanel>
          <TabPanel id="groups" className="manage__body">
            <GroupsTab vehicles={vehicles} selectedId={id} onSelect={open} onAdd={() => open(NEW)} />
          </TabPanel>
        </section>
      </Tabs>
      {id === null ? null : tab === 'vehicles' ? (
        id === NEW && mayWrite ? (
          <NewVehicle groupId={wish.groupId} onClose={close} onAdded={({ vehicle_id }) => open(vehicle_id)} />
        ) : (
          <VehicleSide key={id} vehicleId={id} onClose={close} />
        )
      ) : id === NEW && isDealer ? (
        <NewGroup onClose={close} onAdded={({ group_id }) => open(group_id)} />
      ) : (
        <GroupSide
          groupId={id}
          vehicles={vehicles}
          onClose={close}
          onShowVehicles={() => desk.navigation.note({ tab: null, id: null, group: id, status: null })}
        />
      )}
      {imports && <ImportDialog onClose={() => setImports(false)} />}
    </div>
  );
}
