import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { createMap, type MapOf, type MapOptions } from './consoleMap.ts';
import type { MapLayers } from './mapLayers.ts';
import type { Undo } from './mapStage.ts';

/** What a screen wants of its map: where it looks first, its layers, and what brings them their data. */
export interface MapDeclaration<Layers extends MapLayers> extends Pick<
  MapOptions<Layers>,
  'view' | 'layers' | 'shown'
> {
  /** Runs once the map is there; returns its undo. */
  start: (map: MapOf<Layers>, element: HTMLElement) => Undo;
}

/** A map in the page. It is built anew when `declare` is another function. */
export function MapView<Layers extends MapLayers>({
  declare,
  label,
  onFault,
}: {
  declare: (app: AppContext) => MapDeclaration<Layers>;
  label: string;
  onFault: (error: Error) => void;
}) {
  const app = useAppContext();
  const { language } = useTranslation().i18n;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return;
    const { start, ...declared } = declare(app);
    const { api, mapList, clock } = app;
    const { store, reload } = mapList;
    const files = { api, clock, reload, list: store.getState, onChange: store.subscribe };
    const map = createMap(element.current, { ...declared, files, label, language, onFault });
    const stop = start(map, element.current);
    return () => {
      stop();
      map.destroy();
    };
  }, [app, declare, label, language, onFault]);
  return <div ref={element} style={{ width: '100%', height: '100%' }} />;
}
