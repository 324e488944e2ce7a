import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { deselect } from '../live/liveActions.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** In place of the panel when an address names a vehicle that is not there, or is still to be read. */
export function NoSuchVehicle() {
  const desk = useDesk();
  const say = useText();
  const isRead = useStore(desk.vehicles.store, (state) => state.load.phase === 'ready');
  return (
    <section className="pane" aria-label={say('list.column.vehicle')} data-pane tabIndex={-1}>
      {isRead && (
        <Notice
          title={say('panel.no_vehicle')}
          actions={
            <Button keycap="Esc" onPress={() => deselect(desk)}>
              {say('ui.close')}
            </Button>
          }
        >
          {say('panel.no_vehicle_how')}
        </Notice>
      )}
    </section>
  );
}
