import type { AppContext } from '../appContext/appContext.ts';

/**
 * Keeps the address of the Geofences screen and the selected geofence the same: a link selects, and what is selected
 * can be sent. Returns its end.
 */
export function followAddress(app: AppContext): () => void {
  const { navigation, view } = app;
  const isHere = () => navigation.store.getState().place === 'geofences';
  const note = () => {
    if (isHere()) navigation.note({ id: view.getState().geozoneId });
  };
  const read = () => {
    if (!isHere()) return;
    const id = navigation.store.getState().query['id'] ?? null;
    if (id !== view.getState().geozoneId) view.setState({ geozoneId: id });
  };
  // Opened without a name, the screen shows what was selected elsewhere.
  if (navigation.store.getState().query['id'] === undefined) note();
  else read();
  const undo = [
    navigation.store.subscribe(read),
    view.subscribe((state, before) => {
      if (state.geozoneId !== before.geozoneId) note();
    }),
  ];
  return () => undo.forEach((run) => run());
}
