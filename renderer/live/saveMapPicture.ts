import type { AppContext } from '../appContext/appContext.ts';
import { formatDistance } from '../format/numbers.ts';
import type { ScaleBar } from '../map/camera.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { fileNameOf, snapshotToast } from '../video/player/savedFiles.ts';

export const scaleText = ({ lengthM }: ScaleBar): string => formatDistance(lengthM).replace(/[.,]0 /, ' ');

const yearIn = (timeZone: string) => new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric' });

/**
 * What the map shows as a PNG with the depot, the time, the scale and the attribution, and the vehicles that can be
 * distinguished on it; null without a map. Throws what the browser does.
 */
export async function takeMapPicture(app: AppContext) {
  const map = app.map.current();
  if (map === null) return null;
  const { settings, time } = app.settings.getState();
  let at = app.asOf();
  const title = settings?.depot_name ?? '';
  let vehicleIds: string[] = [];
  const picture = await map.takePicture(() => {
    const { history } = app;
    const isPast = isAt(app, 'history');
    at = isPast ? history.player.store.getState().at : app.asOf();
    vehicleIds = [...map.vehicles.seen(), ...(isPast ? history.store.getState().chosenIds : [])];
    const date = `${time.date(at)} ${yearIn(time.timeZone).format(at)}`;
    return {
      title,
      time: `${date} ${time.clock(at)} ${time.zone(at)}`,
      scale: scaleText,
      north: app.t('map.north'),
    };
  });
  return { picture, at, title, vehicleIds };
}

/** Saves it as a file. */
export async function saveMapPicture(app: AppContext): Promise<void> {
  const { time } = app.settings.getState();
  try {
    const taken = await takeMapPicture(app);
    if (taken === null) return;
    const { picture, at, title } = taken;
    const name = fileNameOf(`${title} ${app.t('map.title').toLowerCase()}`.trim(), at, time.timeZone, 'png');
    const saved = await app.platform.saveFile(name, picture);
    if (saved !== false) app.toasts.setState({ toast: snapshotToast(app.t, name, saved) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = app.t('map.picture_failed', { reason });
    app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
  }
}
