import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { KeysDialog } from '../commands/KeysDialog.tsx';
import { NoteDialog } from '../notifications/NoteDialog.tsx';
import { useSelectedNotification } from '../notifications/selectedNotification.ts';
import { SnoozeDialog } from '../notifications/SnoozeDialog.tsx';
import { WhyDialog } from '../notifications/WhyView.tsx';
import { CommandPalette } from '../commands/Palette.tsx';
import { TerminalCommandsDialog } from '../terminalCommands/TerminalCommandsDialog.tsx';
import { VehicleDialog } from '../vehicles/VehicleDialog.tsx';

/** What is open over the console, one at a time. */
export function Overlays() {
  const app = useAppContext();
  const overlay = useStore(app.view, (state) => state.overlay);
  const vehicleId = useStore(app.view, (state) => state.vehicleId);
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(vehicleId ?? ''));
  const commandedId = useStore(app.view, (state) => state.commandedId);
  const commanded = useStore(app.vehicles.store, (state) => state.byId.get(commandedId ?? ''));
  const notification = useSelectedNotification();
  const close = () => app.view.setState({ overlay: null });
  switch (overlay) {
    case 'palette':
      return <CommandPalette onClose={close} />;
    case 'keys':
      return <KeysDialog onClose={close} />;
    case 'note':
      return notification === null ? null : <NoteDialog notification={notification} onClose={close} />;
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
      return vehicleId === null ? null : (
        <SnoozeDialog vehicleId={vehicleId} rule={null} isSos={false} onClose={close} />
      );
    case 'why':
      return notification === null ? null : (
        <WhyDialog key={notification.notification_id} notification={notification} onClose={close} />
      );
    case 'edit_vehicle':
      return vehicle === undefined ? null : <VehicleDialog vehicle={vehicle} onClose={close} />;
    case 'add_vehicle':
      return <VehicleDialog vehicle={null} onClose={close} />;
    case 'terminal_commands':
      return commanded === undefined ? null : (
        <TerminalCommandsDialog key={commanded.vehicle_id} vehicle={commanded} onClose={close} />
      );
    case null:
      return null;
  }
}
