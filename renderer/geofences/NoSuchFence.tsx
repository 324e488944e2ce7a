import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** In place of the panel when an address names a geofence that is not there, or is still to be read. */
export function NoSuchFence() {
  const desk = useDesk();
  const say = useText();
  const isRead = useStore(desk.geofences.store, (state) => state.load.phase === 'ready');
  return (
    <section className="pane" aria-label={say('fence.title')} data-pane tabIndex={-1}>
      {isRead && (
        <Notice
          title={say('fences.no_such')}
          actions={
            <Button keycap="Esc" onPress={() => desk.view.setState({ geozoneId: null })}>
              {say('ui.close')}
            </Button>
          }
        >
          {say('fences.no_such_how')}
        </Notice>
      )}
    </section>
  );
}
