import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { deselect } from '../live/liveActions.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** In place of the panel when an address names a vehicle that is not there, or is still to be read. */
export function NoSuchVehicle() {
  const app = useAppContext();
  const t = useT();
  const isRead = useStore(app.vehicles.store, (state) => state.load.phase === 'ready');
  return (
    <section className="pane" aria-label={t('list.column.vehicle')} data-pane tabIndex={-1}>
      {isRead && (
        <Notice
          title={t('panel.no_vehicle')}
          actions={
            <Button keycap="Esc" onPress={() => deselect(app)}>
              {t('ui.close')}
            </Button>
          }
        >
          {t('panel.no_vehicle_how')}
        </Notice>
      )}
    </section>
  );
}
