import { Link as LinkIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { AssignmentList } from '../../drivers/AssignmentList.tsx';
import { DriveList } from '../../drivers/DriveList.tsx';
import { DriverName } from '../../drivers/DriverName.tsx';
import { useT } from '../../i18n/useT.ts';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { ActionDialog } from '../../resources/ActionDialog.tsx';
import { ConflictNotice } from '../../resources/ConflictNotice.tsx';
import { MissingPanel, SidePanel } from '../../resources/SidePanel.tsx';
import { openVehicleDialog } from '../vehicleDialogs.ts';
import { useLive, usePlace } from '../../telemetry/useLive.ts';
import { Button } from '../../ui/Button.tsx';
import { Form } from '../../ui/Form.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { CameraSection } from '../cameras/CameraSection.tsx';
import { archivedVehicles } from './archivedVehicles.ts';
import { ClockSuggestion, useClockSuggestion } from './ClockSuggestion.tsx';
import { TrackImport } from './TrackImport.tsx';
import { DeleteDataDialog } from './DeleteDataDialog.tsx';
import { useVehicleForm, type VehicleEditing } from './useVehicleForm.ts';
import { archiveVehicle, purgeVehicle, vehicleRights } from './vehicleAdmin.ts';
import { VehicleFields } from './VehicleFields.tsx';
import { differences, formatDifferences, formOf } from './vehicleForm.ts';
import { formatNumber, formatSpeed } from '../../format/numbers.ts';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Age, TimeOfDay } from '../../ui/Moment.tsx';
import { shareLink } from '../../navigation/appLinks.ts';

/** The vehicle that is selected in the table: all that is kept of it, to be read and changed. */
export function VehicleEditPanel({ vehicleId, onClose }: { vehicleId: string; onClose: () => void }) {
  const app = useAppContext();
  const { vehicles } = app;
  const t = useT();
  const archived = useStore(archivedVehicles(app).store, (state) => state.byId.get(vehicleId));
  const vehicle = useStore(vehicles.store, (state) => state.byId.get(vehicleId));
  const load = useStore(vehicles.store, (state) => state.load);
  if (vehicle !== undefined) return <KnownVehicle vehicle={vehicle} onClose={onClose} />;
  if (archived !== undefined) return <ArchivedVehicle vehicle={archived} onClose={onClose} />;
  return (
    <MissingPanel
      label={t('list.column.vehicle')}
      load={load}
      title={t('panel.no_vehicle')}
      onClose={onClose}
    >
      {t('vehicles.gone_how')}
    </MissingPanel>
  );
}

function ArchivedVehicle({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  return (
    <SidePanel
      label={t('panel.title', { name: vehicle.name })}
      title={vehicle.name}
      actions={
        <Button
          size="small"
          disabled={lost}
          onPress={() => {
            archivedVehicles(app).checked.setState(new Set<string>(), true);
            app.view.setState({ overlay: 'restore_vehicles' });
          }}
        >
          {t('many.restore')}
        </Button>
      }
      stale={t('vehicles.stale_side')}
      onClose={onClose}
    >
      <div className="manage__side-body" tabIndex={0} role="group" aria-label={vehicle.name}>
        <div className="manage__section">
          <VehicleFacts vehicle={vehicle} all />
        </div>
      </div>
    </SidePanel>
  );
}

function KnownVehicle({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { mayWrite } = vehicleRights(app);
  const editing = useVehicleForm(vehicle, formOf, true);
  const status = useStore(app.statuses, (state) => state.byVehicle.get(vehicle.vehicle_id) ?? 'never');
  const groups = useStore(app.groups.store, (state) => state.byId);
  const live = useLive(vehicle.vehicle_id);
  const lost = useLostSince() !== null;
  const id = vehicle.vehicle_id;
  const groupName = (groupId: string) => groups.get(groupId)?.name ?? t('groups.other');

  return (
    <SidePanel
      label={t('panel.title', { name: vehicle.name })}
      title={vehicle.name}
      lead={
        <VehicleGlyph
          state={status}
          stale={lost}
          course={live?.fix?.course_deg ?? null}
          label={t(`status.${status}`)}
        />
      }
      actions={
        <>
          <Button size="small" onPress={() => app.navigation.go('live', { vehicle: id })}>
            {t('vehicles.open_map')}
          </Button>
          <IconButton
            icon={LinkIcon}
            label={t('panel.copy_link')}
            onPress={() => void app.platform.copyText(shareLink(app, 'vehicles', { id }))}
          />
        </>
      }
      stale={t('vehicles.stale_side')}
      onClose={onClose}
    >
      {editing.isBehind && editing.base !== null && (
        <ConflictNotice
          what={t('conflict.vehicle')}
          changedAt={vehicle.updated_at}
          differences={formatDifferences(differences(editing.form, editing.base, vehicle), groupName, t)}
          busy={editing.busy}
          onTake={editing.reset}
          onOverwrite={() => void editing.save(true)}
        />
      )}
      {mayWrite ? (
        <EditedVehicle key={id} vehicle={vehicle} editing={editing} lost={lost} />
      ) : (
        <div className="manage__side-body" tabIndex={0} role="group" aria-label={vehicle.name}>
          <div className="manage__section">
            <p className="quiet">{t('vehicles.read_only')}</p>
            <VehicleFacts vehicle={vehicle} all />
          </div>
        </div>
      )}
    </SidePanel>
  );
}

function EditedVehicle({
  vehicle,
  editing,
  lost,
}: {
  vehicle: Vehicle;
  editing: VehicleEditing;
  lost: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const { isDealer } = vehicleRights(app);
  const { form, isDirty, isBehind, busy, sentence, save } = editing;
  const suggestion_s = useClockSuggestion(vehicle);
  const isWhole = form.name.trim() !== '' && form.terminal_id.trim() !== '';
  const maySave = isDirty && !isBehind && !busy && !lost && isWhole;
  return (
    <Form
      className="manage__body"
      faults={editing.faults}
      hasSaveKey
      onSubmit={maySave ? () => save() : null}
    >
      <div className="manage__side-body">
        <div className="manage__section">
          <VehicleFields
            editing={editing}
            clock={
              suggestion_s !== null && (
                <div className="form-whole">
                  <ClockSuggestion
                    vehicle={vehicle}
                    suggestion_s={suggestion_s}
                    disabled={isBehind || busy}
                  />
                </div>
              )
            }
          />
        </div>
        <div className="manage__section">
          <VehicleFacts vehicle={vehicle} />
          <div className="manage__buttons">
            <Button
              size="small"
              keycap="C"
              onPress={() => openVehicleDialog(app, 'terminal_commands', vehicle.vehicle_id)}
            >
              {t('terminal.command')}
            </Button>
          </div>
        </div>
        <div className="manage__section">
          <AssignmentList vehicleId={vehicle.vehicle_id} mayWrite />
        </div>
        <div className="manage__section">
          <DriveList of={{ vehicleId: vehicle.vehicle_id }} />
        </div>
        {isDealer && (
          <div className="manage__section">
            <CameraSection vehicle={vehicle} />
          </div>
        )}
        <div className="manage__section">
          <VehicleRemoval vehicle={vehicle} />
        </div>
      </div>
      {(isDirty || busy) && (
        <div className="manage__foot">
          <span className="fill">
            {sentence !== null && !isBehind && (
              <span className="strong" role="alert">
                {sentence}
              </span>
            )}
          </span>
          <Button disabled={busy} onPress={editing.reset}>
            {t('vehicles.undo')}
          </Button>
          <Button kind="primary" submits keycap="Ctrl S" disabled={!maySave}>
            {t('ui.save')}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** How a vehicle goes, out of service with its data kept or with all that it recorded; and how a past comes and goes. */
function VehicleRemoval({ vehicle }: { vehicle: Vehicle }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const [open, setOpen] = useState<'archive' | 'purge' | 'data' | 'import' | null>(null);
  const [typed, setTyped] = useState('');
  const { isDealer } = vehicleRights(app);
  const { name, terminal_id } = vehicle;
  const ask = (next: typeof open) => {
    setTyped('');
    setOpen(next);
  };
  return (
    <>
      <div className="manage__buttons">
        <Button size="small" disabled={lost} onPress={() => ask('archive')}>
          {t('vehicles.archive')}
        </Button>
        {isDealer && (
          <>
            <Button size="small" disabled={lost} onPress={() => ask('import')}>
              {t('track_import.open')}
            </Button>
            <Button size="small" disabled={lost} onPress={() => ask('data')}>
              {t('vehicles.data')}
            </Button>
            <Button size="small" disabled={lost} onPress={() => ask('purge')}>
              {t('vehicles.purge')}
            </Button>
          </>
        )}
      </div>
      {open === 'import' && <TrackImport vehicle={vehicle} onClose={() => ask(null)} />}
      {open === 'data' && <DeleteDataDialog vehicle={vehicle} onClose={() => ask(null)} />}
      {(open === 'archive' || open === 'purge') && (
        <ActionDialog
          title={t(`vehicles.${open}_title`, { name })}
          submit={t(`vehicles.${open}_do`, { name })}
          autoFocus={open === 'archive'}
          disabled={open === 'purge' && typed.trim() !== name.trim()}
          act={async () => {
            await (open === 'purge' ? purgeVehicle : archiveVehicle)(app, vehicle);
            // An archived vehicle can be restored; a purged one never comes again.
            app.vehicles[open === 'purge' ? 'remove' : 'hide']([vehicle.vehicle_id]);
          }}
          texts={{ version_conflict: t('vehicles.end_conflict'), not_found: t('vehicles.end_gone') }}
          onClose={() => ask(null)}
        >
          <p>{t(`vehicles.${open}_what`, { terminal: terminal_id })}</p>
          {open === 'purge' && (
            <TextField
              label={t('vehicles.purge_type', { name })}
              value={typed}
              onChange={setTyped}
              autoFocus
            />
          )}
        </ActionDialog>
      )}
    </>
  );
}

/** What the server knows of a vehicle; with `all` also what others may change and this user may not. */
function VehicleFacts({ vehicle, all = false }: { vehicle: Vehicle; all?: boolean }) {
  const app = useAppContext();
  const t = useT();
  const live = useLive(vehicle.vehicle_id);
  const place = usePlace(vehicle.vehicle_id);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const fix = live?.fix ?? null;
  const names = sortedGroups([...groups.values()].filter((it) => vehicle.group_ids.includes(it.group_id)));
  const fields: [string, ReactNode][] = [
    [t('vehicle.plate'), vehicle.plate],
    [t('vehicle.type'), vehicle.type === null ? null : t(`vehicle.type.${vehicle.type}`)],
    [t('vehicle.terminal_id'), vehicle.terminal_id],
    [t('vehicle.driver'), <DriverName key="driver" vehicle={vehicle} />],
    [t('vehicles.vin'), vehicle.vin],
    [t('fact.limit'), vehicle.speed_limit_kmh === null ? null : formatSpeed(vehicle.speed_limit_kmh)],
    [t('vehicles.groups'), names.map(({ name }) => name).join(', ')],
    [
      t('vehicles.clock_offset_fact'),
      vehicle.clock_offset_s === 0 ? null : `${formatNumber(vehicle.clock_offset_s)} s`,
    ],
    ...Object.entries(vehicle.attributes).map(([name, value]): [string, ReactNode] => [
      name,
      value === null ? null : String(value),
    ]),
  ];
  const { archived_at } = vehicle;
  const ofArchived: [string, ReactNode][] = [
    [t('vehicles.archived'), <TimeOfDay key="archived" at={Date.parse(archived_at ?? '')} withDate />],
  ];
  const ofLive: [string, ReactNode][] = [
    [
      t('vehicles.last_contact'),
      live === undefined ? (
        t('status.never')
      ) : (
        <>
          <TimeOfDay at={live.contactAt} withDate />
          <span className="faint">
            {' · '}
            <Age since={live.contactAt} />
          </span>
        </>
      ),
    ],
    [
      t('vehicles.last_position'),
      fix === null ? null : (
        <a className="in-accent" href={app.navigation.linkTo('live', { vehicle: vehicle.vehicle_id })}>
          {place !== '' && place !== '–' ? `${place}, ` : ''}
          {`${formatNumber(fix.lat, 5)}, ${formatNumber(fix.lon, 5)}`}
        </a>
      ),
    ],
  ];
  const known: [string, ReactNode][] = [
    ...(archived_at === null ? ofLive : ofArchived),
    [t('vehicles.added'), <TimeOfDay key="added" at={Date.parse(vehicle.created_at)} withDate />],
    [t('vehicles.changed'), <TimeOfDay key="changed" at={Date.parse(vehicle.updated_at)} withDate />],
  ];
  return <Facts facts={[...(all ? fields : []), ...known]} />;
}
