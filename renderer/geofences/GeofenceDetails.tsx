import { Link, Pencil, X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { startEditing } from './drawingActions.ts';
import { geofenceFacts, whyNotMonitored } from './geofenceLabels.ts';
import { mayDrawGeofences } from './geofenceRights.ts';
import { ColorMark } from './form/ColorField.tsx';
import { VisitsDock } from './preview/VisitsDock.tsx';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useLostSince, useNow } from '../appContext/useMoment.ts';
import { formatShortAge } from '../format/age.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { writeHash } from '../navigation/navigation.ts';
import { statusWords } from '../telemetry/statusWords.ts';
import { useLive } from '../telemetry/useLive.ts';
import { createInsideWatch } from './insideWatch.ts';
import { deleteGeofence } from './deleteGeofence.ts';
import { shareLink } from '../navigation/appLinks.ts';
import './GeofenceDetails.css';

/** A geofence as it is: its fields, who is inside, and who was. */
export function GeofenceDetails({ geofence }: { geofence: Geofence }) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const { busy, sentence, run } = useAction();
  const subject = useMemo(() => ({ geozone_id: geofence.geozone_id }), [geofence.geozone_id]);
  // Name and colour stand in the head.
  const facts = geofenceFacts(geofence, (id) => groups.get(id)?.name ?? t('geofence.group_unseen'), t).filter(
    ({ id }) => id !== 'name' && id !== 'color',
  );

  const remove = () =>
    run(
      async () => {
        await deleteGeofence(app, geofence);
        app.view.setState({ geozoneId: null });
      },
      {
        texts: {
          in_use: (detail) => t('geofence.in_use', { detail }),
          version_conflict: t('geofence.delete_conflict'),
        },
      },
    );

  return (
    <section
      className="pane geofence-panel"
      aria-label={t('geofence.edit', { name: geofence.name })}
      data-pane
      tabIndex={-1}
    >
      <div className="pane__head">
        <ColorMark color={geofence.color} />
        <h2 className="fill ellipsis" title={geofence.name}>
          {geofence.name}
        </h2>
        <IconButton
          icon={Link}
          size="small"
          label={t('geofences.copy_link')}
          onPress={() => void app.platform.copyText(shareLink(app, 'geofences', { id: geofence.geozone_id }))}
        />
        <IconButton
          icon={X}
          size="small"
          label={t('ui.close')}
          keycap="Esc"
          onPress={() => app.view.setState({ geozoneId: null })}
        />
      </div>
      <div className="geofence-details">
        {geofence.not_monitored && (
          <p className="geofence-panel__sentence" role="alert">
            {t('geofence.not_monitored', { reason: whyNotMonitored(geofence.not_monitored, t) })}
          </p>
        )}
        <dl className="geofence-details__facts">
          {facts.map(({ id, label, text }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <InsideNow geofence={geofence} />
      </div>
      {sentence !== null && (
        <p className="geofence-panel__sentence" role="alert">
          {sentence}
        </p>
      )}
      {mayDrawGeofences(app) && (
        <div className="manage__foot">
          <Button icon={Pencil} onPress={() => startEditing(app, geofence)}>
            {t('geofence.change')}
          </Button>
          <ConfirmButton
            disabled={busy}
            confirm={t('geofence.delete_really')}
            keep={t('geofence.keep')}
            onConfirm={() => void remove()}
          >
            {t('geofence.delete')}
          </ConfirmButton>
        </div>
      )}
      <VisitsDock key={`${geofence.geozone_id} ${geofence.version}`} subject={subject} isRoomy onDemand />
    </section>
  );
}

/** Who looks for one of more than these goes to Live. */
const LISTED = 100;

/** The vehicles inside of a geofence by their newest positions. */
function InsideNow({ geofence }: { geofence: Geofence }) {
  const app = useAppContext();
  const t = useT();
  const watch = useMemo(
    () =>
      createInsideWatch(geofence, app.positions, (id) => {
        const vehicle = app.vehicles.store.getState().byId.get(id);
        return vehicle !== undefined && holdsFor(geofence, vehicle);
      }),
    [app, geofence],
  );
  useEffect(() => watch.start(), [watch]);
  const ids = useStore(watch.store, (state) => state.ids);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const inside = useMemo(
    () =>
      [...ids]
        .flatMap((id) => vehicles.get(id) ?? [])
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
    [ids, vehicles],
  );
  return (
    <section className="geofence-details__section" aria-label={t('geofences.inside')}>
      <h3>{t('geofences.inside_count', { count: inside.length })}</h3>
      {geofence.group_ids.length > 0 && <p className="small faint">{t('geofences.inside_groups')}</p>}
      {inside.length > 0 && (
        <ul>
          {inside.slice(0, LISTED).map((vehicle) => (
            <InsideRow key={vehicle.vehicle_id} vehicle={vehicle} />
          ))}
        </ul>
      )}
      {inside.length > LISTED && (
        <p className="small faint">{t('geofences.inside_more', { count: inside.length - LISTED })}</p>
      )}
    </section>
  );
}

function InsideRow({ vehicle }: { vehicle: Vehicle }) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const id = vehicle.vehicle_id;
  const live = useLive(id);
  const status = useStore(app.statuses, (state) => state.byVehicle.get(id) ?? 'never');
  const isLost = useLostSince() !== null;
  return (
    <li>
      <a
        className="geofence-details__vehicle"
        href={writeHash({ place: 'live', query: { vehicle: id } })}
        title={t('geofences.to_live', { name: vehicle.name })}
      >
        <VehicleGlyph state={status} course={live?.fix?.course_deg ?? null} stale={isLost} />
        <span className="strong ellipsis fill">{vehicle.name}</span>
        <span className="quiet">{statusWords(status, live, t)}</span>
        <span className={isLost ? 'to-right' : 'to-right faint'}>
          {live === undefined ? '' : formatShortAge(now - Date.parse((live.fix ?? live.last).time))}
        </span>
      </a>
    </li>
  );
}

/** One without groups holds for every vehicle. */
function holdsFor(geofence: Geofence, vehicle: Vehicle): boolean {
  return geofence.group_ids.length === 0 || geofence.group_ids.some((id) => vehicle.group_ids.includes(id));
}
