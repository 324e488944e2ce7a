import { Layers } from 'lucide-react';
import { useStore } from 'zustand';
import type { MapLayerChoice } from '../../server/contract/mapViews.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Toggle } from '../ui/Toggle.tsx';
import {
  chooseMapLayers,
  EVERY_VEHICLE,
  hasImagery,
  mapLayersCommand,
  mapLayersOf,
} from './mapLayerChoice.ts';
import { MapMenuButton } from './MapMenuButton.tsx';
import './LayerMenu.css';

/** The button that opens what the map shows. `allGeofences`: they are what the screen is about. */
export const LayerMenu = ({ allGeofences }: { allGeofences: boolean }) => (
  <MapMenuButton menu="layers" icon={Layers} command={mapLayersCommand} className="layer-menu">
    <LayerToggles allGeofences={allGeofences} />
  </MapMenuButton>
);

function LayerToggles({ allGeofences }: { allGeofences: boolean }) {
  const app = useAppContext();
  const t = useT();
  const choice = useStore(app.preferences, () => mapLayersOf(app));
  const imagery = useStore(app.mapList.store, () => hasImagery(app));
  const toggle = (layer: keyof Omit<MapLayerChoice, 'hidden_group_ids'>) => (
    <Toggle
      label={t(`map.layer.${layer}`)}
      on={choice[layer]}
      onChange={(on) => chooseMapLayers(app, { [layer]: on })}
    />
  );
  return (
    <>
      {toggle('labels')}
      {toggle('poi')}
      {imagery && toggle('imagery')}
      {toggle('trails')}
      {!allGeofences && toggle('geofences')}
      {(allGeofences || choice.geofences) && <GroupToggles />}
    </>
  );
}

/** The geofences by the groups that they apply to; nothing where all belong to the same. */
function GroupToggles() {
  const app = useAppContext();
  const t = useT();
  const hidden = useStore(app.preferences, () => mapLayersOf(app).hidden_group_ids);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const used = new Set(
    [...geofences.values()].flatMap(({ group_ids }) =>
      group_ids.length === 0 ? [EVERY_VEHICLE] : group_ids,
    ),
  );
  const rows = [...used]
    .map((id) => ({ id, name: id === EVERY_VEHICLE ? t('map.layer.every_vehicle') : groups.get(id)?.name }))
    .flatMap(({ id, name }) => (name === undefined ? [] : { id, name }))
    .sort(
      (a, b) =>
        Number(b.id === EVERY_VEHICLE) - Number(a.id === EVERY_VEHICLE) || a.name.localeCompare(b.name),
    );
  if (rows.length < 2) return null;
  return (
    <div role="group" aria-label={t('map.layer.by_group')} className="layer-menu__groups">
      <span className="quiet">{t('map.layer.by_group')}</span>
      {rows.map(({ id, name }) => (
        <Toggle
          key={id}
          label={name}
          on={!hidden.includes(id)}
          onChange={(on) =>
            chooseMapLayers(app, {
              // Groups that are gone are forgotten, so that the list stays short.
              hidden_group_ids: rows
                .map((row) => row.id)
                .filter((it) => (it === id ? !on : hidden.includes(it))),
            })
          }
        />
      ))}
    </div>
  );
}
