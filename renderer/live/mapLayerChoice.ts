import { mapLayerChoice, type MapLayerChoice } from '../../server/contract/mapViews.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { isAt } from '../notifications/notificationCommands.ts';

const STANDARD = mapLayerChoice.parse({});
/** Stands for the geofences that apply to every vehicle. */
export const EVERY_VEHICLE = 'all';

type ChoiceHolder = Pick<AppContext, 'preferences' | 'user'>;

/** What this operator has the map show, at this computer. */
export const mapLayersOf = ({ preferences, user }: ChoiceHolder): MapLayerChoice =>
  preferences.getState().mapLayers[user.user_id] ?? STANDARD;

export function chooseMapLayers(app: ChoiceHolder, change: Partial<MapLayerChoice>): void {
  const choice = { ...mapLayersOf(app), ...change };
  app.preferences.setState(({ mapLayers }) => ({ mapLayers: { ...mapLayers, [app.user.user_id]: choice } }));
}

/** Calls at each change of the choice; returns its undo. */
export function onMapLayers(app: ChoiceHolder, run: (choice: MapLayerChoice) => void): () => void {
  let before = mapLayersOf(app);
  return app.preferences.subscribe(() => {
    const now = mapLayersOf(app);
    if (now === before) return;
    before = now;
    run(now);
  });
}

/** Whether a geofence belongs to a group whose geofences are shown. */
export function isGroupShown({ group_ids }: Pick<Geofence, 'group_ids'>, hidden: readonly string[]): boolean {
  const groups = group_ids.length === 0 ? [EVERY_VEHICLE] : group_ids;
  return groups.some((it) => !hidden.includes(it));
}

/** Whether there is imagery that can be shown. */
export const hasImagery = ({ mapList }: Pick<AppContext, 'mapList'>): boolean =>
  mapList.store.getState().maps.some((it) => it.shown && it.kind === 'imagery');

const toggleCommand = (layer: 'labels' | 'poi' | 'trails' | 'geofences' | 'imagery'): Command => ({
  id: `toggle_${layer}`,
  label: `command.toggle_${layer}`,
  group: 'map',
  shortcut: null,
  when: (app) =>
    (layer === 'geofences' ? isAt(app, 'live', 'history') : isAt(app, 'live', 'history', 'geofences')) &&
    (layer !== 'imagery' || hasImagery(app)),
  run: (app) => chooseMapLayers(app, { [layer]: !mapLayersOf(app)[layer] }),
});

export const mapLayersCommand: Command = {
  id: 'map_layers',
  label: 'map.layers',
  group: 'map',
  shortcut: 'Shift+L',
  when: (app) => isAt(app, 'live', 'history', 'geofences'),
  run: (app) => app.view.setState(({ mapMenu }) => ({ mapMenu: mapMenu === 'layers' ? null : 'layers' })),
};

export const mapLayerCommands: readonly Command[] = [
  mapLayersCommand,
  ...(['labels', 'poi', 'trails', 'geofences', 'imagery'] as const).map(toggleCommand),
];
