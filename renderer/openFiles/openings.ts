import type { AppContext } from '../appContext/appContext.ts';
import { locationOf } from '../navigation/appLinks.ts';
import type { AppLink, Openings } from '../platform/platform.ts';
import { openFiles, refuse } from './openFiles.ts';

/** Opens what was opened with the program, now and later. Returns its undo. */
export function startOpenings(app: AppContext, openings: Openings): () => void {
  let isOver = false;
  const takeAll = async () => {
    for (;;) {
      const opening = isOver ? null : await openings.take();
      if (opening === null) return;
      if (opening.kind === 'link') openLink(app, opening.link);
      else if (opening.kind === 'file') await openFiles(app, [opening.file]);
      else if (opening.kind === 'too large')
        refuse(app, app.t('open_files.too_large', { name: opening.name }));
      else refuse(app, app.t('open_files.unreadable', { name: opening.name }));
    }
  };
  const undo = openings.onWait(() => void takeAll());
  void takeAll();
  return () => {
    isOver = true;
    undo();
  };
}

function openLink(app: AppContext, link: AppLink): void {
  const location = locationOf(link);
  if (location === null) return;
  const { place, query } = location;
  // An alarm is looked at with its vehicle.
  const vehicle = app.notifications.store.getState().byId.get(query['notification'] ?? '')?.vehicle_id;
  app.navigation.go(place, vehicle === undefined ? query : { ...query, vehicle });
}
