import type { Command } from '../commands/command.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';

const mapCommand = (
  id: 'zoom_in' | 'zoom_out' | 'fit',
  shortcut: string,
  act: (map: ConsoleMap) => void,
): Command => ({
  id,
  label: `map.${id}`,
  group: 'map',
  shortcut,
  when: (app) => ['live', 'geofences'].includes(app.navigation.store.getState().place),
  run: (app) => {
    const map = app.map.current();
    if (map !== null) act(map);
  },
});

/** The tools at the edge of the map. */
export const mapCommands = [
  mapCommand('zoom_in', '+', (map) => map.camera.zoomIn()),
  mapCommand('zoom_out', '-', (map) => map.camera.zoomOut()),
  mapCommand('fit', '0', (map) => map.fitVehicles()),
] as const;
