import type { ConsoleMap } from '../map/consoleMap.ts';

/** The map while the Live screen shows it; commands speak to it here. */
export interface MapControl {
  current(): ConsoleMap | null;
  /** Called by the pane that holds the map; returns its undo. */
  attach(map: ConsoleMap): () => void;
}

export function createMapControl(): MapControl {
  let attached: ConsoleMap | null = null;
  return {
    current: () => attached,
    attach(map) {
      attached = map;
      return () => {
        if (attached === map) attached = null;
      };
    },
  };
}
