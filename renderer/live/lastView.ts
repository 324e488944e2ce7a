import { z } from 'zod';
import type { AppContext } from '../appContext/appContext.ts';

/** Of the map of Live, of the second one beside it, and of the one in a window of its own. */
export type ViewKey = 'map.view' | 'map.second_view' | 'map.window_view';

const storedView = z.object({
  lat: z.number().min(-85).max(85),
  lon: z.number().min(-180).max(180),
  zoom: z.number().min(0).max(24),
});
export type LastView = z.infer<typeof storedView>;

/** Where the map of Live looks, else where it looked last; null before it was seen. */
export function lastView({ map, platform }: Pick<AppContext, 'map' | 'platform'>): LastView | null {
  return map.current()?.camera.view() ?? rememberedView(platform);
}

/** Where the map of Live looked last in this browser; null before it was seen. */
export function rememberedView(
  { storage }: AppContext['platform'],
  key: ViewKey = 'map.view',
): LastView | null {
  try {
    const parsed = storedView.safeParse(JSON.parse(storage.read(key) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function rememberView(
  { storage }: AppContext['platform'],
  view: LastView,
  key: ViewKey = 'map.view',
): void {
  storage.write(key, JSON.stringify(view));
}
