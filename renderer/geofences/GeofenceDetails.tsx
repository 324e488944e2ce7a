import { Link, Pencil, X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { startEditing } from './drawingActions.ts';
import { geofenceFacts } from './geofenceLabels.ts';
import { mayDrawGeofences } from './geofenceRights.ts';
import { ColorMark } from './form/ColorField.tsx';
import { InsideNow } from './InsideNow.tsx';
import { PreviewDock } from './preview/PreviewDock.tsx';
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
        await app.geofenceActions.remove(geofence);
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
          onPress={() =>
            void app.platform.copyText(app.navigation.linkTo('geofences', { id: geofence.geozone_id }))
          }
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
            {t('geofence.not_monitored', { reason: geofence.not_monitored.reason })}
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
        <div className="geofence-panel__foot">
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
      <PreviewDock key={`${geofence.geozone_id} ${geofence.version}`} subject={subject} roomy onDemand />
    </section>
  );
}
