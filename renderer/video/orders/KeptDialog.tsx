import { Pin, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime } from '../../desk/useMoment.ts';
import { bytesText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { CLIP_LIMITS } from '../store/clipLimit.ts';
import { useVideo } from '../useVideo.ts';
import './KeptDialog.css';

/** What is kept on this computer: how much, what stays, and away with it. */
export function KeptDialog({ onClose }: { onClose: () => void }) {
  const desk = useDesk();
  const video = useVideo();
  const say = useText();
  const time = useDepotTime();
  const { clips, limitBytes, kind } = useStore(video.clips.store);
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    // Other tabs may have fetched or dropped some since.
    void video.clips.list();
  }, [video]);
  const rows = [...clips.values()].sort((a, b) => b.used_at - a.used_at);
  const size = bytesText(rows.reduce((sum, it) => sum + it.size_bytes, 0));

  return (
    <Modal title={say('kept.title')} onClose={onClose} width={520}>
      {kind !== null && kind !== 'disk' && <p className="strong">{say(`kept.${kind}`)}</p>}
      <div className="kept__limit">
        <Choice
          label={say('kept.limit')}
          value={String(limitBytes)}
          options={CLIP_LIMITS.map((bytes) => ({ id: String(bytes), label: bytesText(bytes) }))}
          onChange={(bytes) => void video.setLimit(Number(bytes))}
        />
        <p className="quiet">{say('kept.limit_hint')}</p>
      </div>
      {rows.length === 0 ? (
        <p className="quiet">{say('kept.all_gone')}</p>
      ) : (
        <ul className="kept__list">
          {rows.map((clip) => (
            <li key={clip.task_id} className="kept__row">
              <b>{vehicles.get(clip.vehicle_id)?.name ?? say('vehicle.gone')}</b>
              <span className="quiet">
                {time.date(Date.parse(clip.from))} {time.clock(Date.parse(clip.from))}
              </span>
              <span className="quiet">
                {say(clip.spare ? 'kept.channel_small' : 'kept.channel', { channel: clip.channel })}
              </span>
              <span className="to-right quiet">
                {clip.whole ? bytesText(clip.size_bytes) : say('kept.part')}
              </span>
              <IconButton
                icon={Pin}
                size="small"
                label={clip.pinned ? say('kept.unpin') : say('kept.pin')}
                pressed={clip.pinned}
                onPress={() => void video.clips.pin(clip.task_id, !clip.pinned)}
              />
              <IconButton
                icon={X}
                size="small"
                label={say('kept.remove')}
                onPress={() => void video.clips.remove([clip.task_id])}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="modal__actions">
        <Button
          disabled={rows.length === 0}
          onPress={() => {
            if (isSure) void video.clips.clear();
            setSure(!isSure);
          }}
        >
          {isSure ? say('kept.clear_really', { size }) : say('kept.clear')}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {say('ui.close')}
        </Button>
      </div>
    </Modal>
  );
}
