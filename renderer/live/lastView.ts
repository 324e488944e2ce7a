import { z } from 'zod';
import type { AppContext } from '../appContext/appContext.ts';

const KEY = 'map.view';
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
export function rememberedView({ storage }: AppContext['platform']): LastView | null {
  try {
    const parsed = storedView.safeParse(JSON.parse(storage.read(KEY) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function rememberView({ storage }: AppContext['platform'], view: LastView): void {
  storage.write(KEY, JSON.stringify(view));
}
