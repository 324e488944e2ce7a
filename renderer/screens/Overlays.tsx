import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { KeysDialog } from '../palette/KeysDialog.tsx';
import { NoteDialog } from '../notifications/NoteDialog.tsx';
import { Palette } from '../palette/Palette.tsx';
import { VehicleDialog } from '../vehicles/VehicleDialog.tsx';

/** What is open over the console, one at a time. */
export function Overlays() {
  const desk = useDesk();
  const overlay = useStore(desk.view, (state) => state.overlay);
  const vehicleId = useStore(desk.view, (state) => state.vehicleId);
  const notificationId = useStore(desk.view, (state) => state.notificationId);
  const vehicle = useStore(desk.vehicles.store, (state) => state.byId.get(vehicleId ?? ''));
  const notification = useStore(desk.notifications.store, (state) => state.byId.get(notificationId ?? ''));
  const close = () => desk.view.setState({ overlay: null });
  switch (overlay) {
    case 'palette':
      return <Palette onClose={close} />;
    case 'keys':
      return <KeysDialog onClose={close} />;
    case 'note':
      return notification === undefined ? null : <NoteDialog notification={notification} onClose={close} />;
    case 'edit_vehicle':
      return vehicle === undefined ? null : <VehicleDialog vehicle={vehicle} onClose={close} />;
    case 'add_vehicle':
      return <VehicleDialog vehicle={null} onClose={close} />;
    case null:
      return null;
  }
}
