import { useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { endDrawing } from '../geofences/drawingActions.ts';
import { KeysDialog } from '../commands/KeysDialog.tsx';
import {
  CloseIncidentDialog,
  EditIncidentDialog,
  JoinIncidentDialog,
  NewIncidentDialog,
} from '../incidents/IncidentDialogs.tsx';
import { selectedIncident } from '../incidents/incidentActions.ts';
import { NoteDialog } from '../notifications/NoteDialog.tsx';
import { selectedNotification } from '../notifications/selectedNotification.ts';
import { SnoozeDialog } from '../notifications/SnoozeDialog.tsx';
import { WhyDialog } from '../notifications/WhyView.tsx';
import { TerminalCommandsDialog } from '../terminalCommands/TerminalCommandsDialog.tsx';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useT } from '../i18n/useT.ts';
import { showVehicle } from '../live/liveActions.ts';
import { ConflictNotice } from '../resources/ConflictNotice.tsx';
import { ShareDialog } from '../shares/ShareDialog.tsx';
import { ShiftDialog } from '../shifts/ShiftDialogs.tsx';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { CloseAtOnce, DiscardDialog, Modal, ModalFooter } from '../ui/Modal.tsx';
import { archivedSelection, restoreAction } from '../vehicles/manage/archivedVehicles.ts';
import { BulkActionDialog } from '../resources/BulkActions.tsx';
import { BulkVehicleDialog } from '../vehicles/bulk/BulkVehicleDialog.tsx';
import { useNewVehicle } from '../vehicles/manage/NewVehicle.tsx';
import { useVehicleForm } from '../vehicles/manage/useVehicleForm.ts';
import { VehicleFields } from '../vehicles/manage/VehicleFields.tsx';
import { formOf } from '../vehicles/manage/vehicleForm.ts';

/**
 * The dialogs of the console, each about what was selected when it was opened, in its newest state: an alarm that is
 * announced meanwhile may select something else.
 */
export function Overlays() {
  const app = useAppContext();
  const overlay = useStore(app.view, (state) => state.overlay);
  const [selected] = useState(() => ({
    vehicleId: app.view.getState().vehicleId,
    notification: selectedNotification(app),
    incident: selectedIncident(app),
  }));
  const { vehicleId } = selected;
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(vehicleId ?? ''));
  const dialogVehicleId = useStore(app.view, (state) => state.dialogVehicleId);
  const dialogVehicle = useStore(app.vehicles.store, (state) => state.byId.get(dialogVehicleId ?? ''));
  const notification = useStore(
    app.notifications.store,
    ({ byId }) => byId.get(selected.notification?.notification_id ?? '') ?? selected.notification,
  );
  const incidentMoment = useStore(app.view, (state) => state.incidentMoment);
  const incident = useStore(
    app.incidents.store,
    ({ byId }) => byId.get(selected.incident?.incident_id ?? '') ?? selected.incident,
  );
  // What a dialog was sent with may be answered after another one was opened, which stays.
  const close = () => app.view.setState((state) => (state.overlay === overlay ? { overlay: null } : state));
  const none = <CloseAtOnce onClose={close} />;
  switch (overlay) {
    case 'keys':
      return <KeysDialog onClose={close} />;
    case 'note':
      return <NoteDialog onClose={close} />;
    case 'snooze':
      if (notification !== null) {
        return (
          <SnoozeDialog
            vehicleId={notification.vehicle_id}
            rule={
              notification.rule_id === null
                ? null
                : { rule_id: notification.rule_id, name: notification.rule_name }
            }
            isSos={notification.event_kind === 'sos'}
            onClose={close}
          />
        );
      }
      return vehicleId === null ? (
        none
      ) : (
        <SnoozeDialog vehicleId={vehicleId} rule={null} isSos={false} onClose={close} />
      );
    case 'why':
      return notification === null ? none : <WhyDialog notification={notification} onClose={close} />;
    case 'new_incident':
      return incidentMoment === null ? none : <NewIncidentDialog moment={incidentMoment} onClose={close} />;
    case 'join_incident':
      return notification === null ? (
        none
      ) : (
        <JoinIncidentDialog notification={notification} onClose={close} />
      );
    case 'close_incident':
      return incident === null ? none : <CloseIncidentDialog incident={incident} onClose={close} />;
    case 'edit_incident':
      return incident === null ? none : <EditIncidentDialog incident={incident} onClose={close} />;
    case 'discard_drawing':
      return (
        <DiscardDialog
          onKeep={close}
          onDiscard={() => {
            close();
            endDrawing(app);
          }}
        />
      );
    case 'edit_vehicle':
      return vehicle === undefined ? none : <VehicleDialog vehicle={vehicle} onClose={close} />;
    case 'add_vehicle':
      return <VehicleDialog vehicle={null} onClose={close} />;
    case 'terminal_commands':
      return dialogVehicle === undefined ? (
        none
      ) : (
        <TerminalCommandsDialog key={dialogVehicle.vehicle_id} vehicle={dialogVehicle} onClose={close} />
      );
    case 'share_vehicle':
      return dialogVehicle === undefined ? (
        none
      ) : (
        <ShareDialog key={dialogVehicle.vehicle_id} vehicle={dialogVehicle} onClose={close} />
      );
    case 'shift_note':
    case 'shift_handover':
    case 'shift_accept':
    case 'shift_end':
      return <ShiftDialog overlay={overlay} onClose={close} />;
    case 'bulk_groups':
    case 'bulk_geofence':
    case 'bulk_command':
    case 'bulk_video':
    case 'bulk_snooze':
      return <BulkVehicleDialog overlay={overlay} onClose={close} />;
    case 'restore_vehicles':
      return <RestoreDialog onClose={close} />;
    // The search is no part of these.
    case 'palette':
    case null:
      return null;
  }
}

function RestoreDialog({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const [action] = useState(() => restoreAction(app, archivedSelection(app)));
  return <BulkActionDialog action={action} onClose={onClose} />;
}

/** A vehicle's profile: a new one by its terminal ID, or an existing one to be changed. */
function VehicleDialog({ vehicle, onClose }: { vehicle: Vehicle | null; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const fresh = useNewVehicle(null);
  const editing = useVehicleForm(vehicle, vehicle === null ? fresh : formOf);
  const { form, faults, sentence, busy, isBehind } = editing;
  const save = async (overTheirs = false) => {
    const saved = await editing.save(overTheirs);
    if (saved === null) return;
    onClose();
    if (vehicle === null) showVehicle(app, saved.vehicle_id);
  };
  return (
    <Modal
      title={vehicle === null ? t('vehicle.add') : t('vehicle.edit', { name: vehicle.name })}
      onClose={onClose}
      width={520}
      unsaved={editing.isTyped}
    >
      {isBehind && vehicle !== null && (
        <ConflictNotice
          what={t('conflict.vehicle')}
          changedAt={vehicle.updated_at}
          busy={busy}
          onTake={editing.reset}
          onOverwrite={() => void save(true)}
        />
      )}
      <Form faults={faults} onSubmit={() => void save()}>
        <VehicleFields editing={editing} brief autoFocus />
        <ModalFooter sentence={isBehind ? null : sentence} onCancel={onClose}>
          <Button
            kind="primary"
            submits
            disabled={busy || isBehind || form.name.trim() === '' || form.terminal_id.trim() === ''}
          >
            {vehicle === null ? t('vehicle.add') : t('ui.save')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}
