import { Link as LinkIcon, X } from 'lucide-react';
import type { SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { CameraSection } from '../cameras/CameraSection.tsx';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { openTerminalCommands } from '../../terminalCommands/openTerminalCommands.ts';
import { useLive } from '../../telemetry/useLive.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { ClockSuggestion } from './ClockSuggestion.tsx';
import { useClockSuggestion } from './useClockSuggestion.ts';
import { useSaveKey } from './useSaveKey.ts';
import { useVehicleForm } from './useVehicleForm.ts';
import { vehicleRights } from './vehicleAdmin.ts';
import { VehicleConflict } from './VehicleConflict.tsx';
import { VehicleRemoval } from './VehicleRemoval.tsx';
import { VehicleFacts } from './VehicleFacts.tsx';
import { VehicleFields } from './VehicleFields.tsx';

/** The vehicle that is selected in the table: all that is kept of it, to be read and changed. */
export function VehicleEditPanel({ vehicleId, onClose }: { vehicleId: string; onClose: () => void }) {
  const { vehicles } = useAppContext();
  const t = useT();
  const vehicle = useStore(vehicles.store, (state) => state.byId.get(vehicleId));
  const isRead = useStore(vehicles.store, (state) => state.load.phase === 'ready');
  if (vehicle !== undefined) return <KnownVehicle vehicle={vehicle} onClose={onClose} />;
  return (
    <section className="pane manage__side" aria-label={t('list.column.vehicle')} data-pane tabIndex={-1}>
      {isRead && (
        <Notice
          title={t('panel.no_vehicle')}
          actions={
            <Button keycap="Esc" onPress={onClose}>
              {t('ui.close')}
            </Button>
          }
        >
          {t('vehicles.gone_how')}
        </Notice>
      )}
    </section>
  );
}

function KnownVehicle({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { mayWrite } = vehicleRights(app);
  const editing = useVehicleForm(vehicle);
  const status = useStore(app.statuses, (state) => state.byVehicle.get(vehicle.vehicle_id) ?? 'never');
  const live = useLive(vehicle.vehicle_id);
  const lost = useLostSince() !== null;
  const id = vehicle.vehicle_id;

  return (
    <section
      className="pane manage__side"
      aria-label={t('panel.title', { name: vehicle.name })}
      data-pane
      tabIndex={-1}
    >
      <div className="manage__side-head">
        <VehicleGlyph
          state={status}
          stale={lost}
          course={live?.fix?.course_deg ?? null}
          label={t(`status.${status}`)}
        />
        <h2 className="fill ellipsis" title={vehicle.name}>
          {vehicle.name}
        </h2>
        <Button size="small" onPress={() => app.navigation.go('live', { vehicle: id })}>
          {t('vehicles.open_map')}
        </Button>
        <IconButton
          icon={LinkIcon}
          label={t('panel.copy_link')}
          onPress={() => void app.platform.copyText(app.navigation.linkTo('vehicles', { id }))}
        />
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <StaleBanner>{t('vehicles.stale_side')}</StaleBanner>
      {editing.isBehind && <VehicleConflict vehicle={vehicle} editing={editing} />}
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
    </section>
  );
}

function EditedVehicle({
  vehicle,
  editing,
  lost,
}: {
  vehicle: Vehicle;
  editing: ReturnType<typeof useVehicleForm>;
  lost: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const { isDealer } = vehicleRights(app);
  const { form, isChanged, isBehind, busy, sentence, save } = editing;
  const suggestion_s = useClockSuggestion(vehicle);
  const isWhole = form.name.trim() !== '' && form.terminal_id.trim() !== '';
  const maySave = isChanged && !isBehind && !busy && !lost && isWhole;
  useSaveKey(() => {
    if (maySave) void save();
  });
  return (
    <form
      className="manage__body"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        if (maySave) void save();
      }}
    >
      <div className="manage__side-body">
        <div className="manage__section">
          <VehicleFields
            form={form}
            onChange={editing.change}
            faults={editing.faults}
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
            <Button size="small" keycap="C" onPress={() => openTerminalCommands(app, vehicle.vehicle_id)}>
              {t('terminal.command')}
            </Button>
          </div>
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
      {(isChanged || busy) && (
        <div className="manage__foot">
          <span className="fill">
            {sentence !== null && (
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
    </form>
  );
}
