import { Link, Pencil, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import { isProblem } from '../api/errors.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import { startEditing } from './drawingActions.ts';
import { fenceFacts } from './fenceWords.ts';
import { mayDrawFences } from './fenceRights.ts';
import { ColorMark } from './form/ColorField.tsx';
import { InsideNow } from './InsideNow.tsx';
import { PreviewDock } from './preview/PreviewDock.tsx';
import './FenceDetails.css';

/** A geofence as it is: its fields, who is inside, and who was. */
export function FenceDetails({ fence }: { fence: Geofence }) {
  const desk = useDesk();
  const say = useText();
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const subject = useMemo(() => ({ geozone_id: fence.geozone_id }), [fence.geozone_id]);
  // Name and colour stand in the head.
  const facts = fenceFacts(fence, (id) => groups.get(id)?.name ?? say('fence.group_unseen'), say).filter(
    ({ id }) => id !== 'name' && id !== 'color',
  );

  const remove = async () => {
    setBusy(true);
    setSentence(null);
    try {
      await desk.geofenceActions.remove(fence);
      desk.view.setState({ geozoneId: null });
    } catch (error) {
      setSentence(
        sentenceOf(error, say, {
          in_use: isProblem(error) ? say('fence.in_use', { detail: error.problem.detail }) : '',
          version_conflict: say('fence.delete_conflict'),
        }),
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <section
      className="pane geofence-panel"
      aria-label={say('fence.edit', { name: fence.name })}
      data-pane
      tabIndex={-1}
    >
      <div className="pane__head">
        <ColorMark color={fence.color} />
        <h2 className="fill ellipsis" title={fence.name}>
          {fence.name}
        </h2>
        <IconButton
          icon={Link}
          size="small"
          label={say('fences.copy_link')}
          onPress={() =>
            void desk.platform.copyText(desk.navigation.linkTo('geofences', { id: fence.geozone_id }))
          }
        />
        <IconButton
          icon={X}
          size="small"
          label={say('ui.close')}
          keycap="Esc"
          onPress={() => desk.view.setState({ geozoneId: null })}
        />
      </div>
      <div className="fence-details">
        {fence.not_monitored && (
          <p className="geofence-panel__sentence" role="alert">
            {say('fence.not_monitored', { reason: fence.not_monitored.reason })}
          </p>
        )}
        <dl className="fence-details__facts">
          {facts.map(({ id, label, text }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <InsideNow fence={fence} />
      </div>
      {sentence !== null && (
        <p className="geofence-panel__sentence" role="alert">
          {sentence}
        </p>
      )}
      {mayDrawFences(desk) && (
        <div className="geofence-panel__foot">
          <Button icon={Pencil} onPress={() => startEditing(desk, fence)}>
            {say('fence.change')}
          </Button>
          <DeleteButton busy={busy} onDelete={() => void remove()} />
        </div>
      )}
      <PreviewDock key={`${fence.geozone_id} ${fence.version}`} subject={subject} roomy onDemand />
    </section>
  );
}
