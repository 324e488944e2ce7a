import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** In place of the panel when an address names a geofence that is not there, or is still to be read. */
export function NoSuchGeofence() {
  const app = useAppContext();
  const t = useT();
  const isRead = useStore(app.geofences.store, (state) => state.load.phase === 'ready');
  return (
    <section className="pane" aria-label={t('geofence.title')} data-pane tabIndex={-1}>
      {isRead && (
        <Notice
          title={t('geofences.no_such')}
          actions={
            <Button keycap="Esc" onPress={() => app.view.setState({ geozoneId: null })}>
              {t('ui.close')}
            </Button>
          }
        >
          {t('geofences.no_such_how')}
        </Notice>
      )}
    </section>
  );
}
