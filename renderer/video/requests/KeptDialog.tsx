import { Pin, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { formatBytes } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Select.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { CLIP_LIMITS } from '../store/clipStore.ts';
import { useVideo } from '../useVideo.ts';
import './KeptDialog.css';

/** What is kept on this computer: how much, what stays, and away with it. */
export function KeptDialog({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const time = useDepotTime();
  const { clips, limitBytes, kind } = useStore(video.clips.store);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    // Other tabs may have fetched or dropped some since.
    void video.clips.list();
  }, [video]);
  const rows = [...clips.values()].sort((a, b) => b.used_at - a.used_at);
  const size = formatBytes(rows.reduce((sum, it) => sum + it.size_bytes, 0));

  return (
    <Modal title={t('kept.title')} onClose={onClose} width={520}>
      {kind !== null && kind !== 'disk' && <p className="strong">{t(`kept.${kind}`)}</p>}
      <div className="kept__limit">
        <Choice
          label={t('kept.limit')}
          value={String(limitBytes)}
          options={CLIP_LIMITS.map((bytes) => ({ id: String(bytes), label: formatBytes(bytes) }))}
          onChange={(bytes) => void video.setLimit(Number(bytes))}
        />
        <p className="quiet">{t('kept.limit_hint')}</p>
      </div>
      {rows.length === 0 ? (
        <p className="quiet">{t('kept.all_gone')}</p>
      ) : (
        <ul className="kept__list">
          {rows.map((clip) => (
            <li key={clip.task_id} className="kept__row">
              <b>{vehicles.get(clip.vehicle_id)?.name ?? t('vehicle.gone')}</b>
              <span className="quiet">
                {time.date(Date.parse(clip.from))} {time.clock(Date.parse(clip.from))}
              </span>
              <span className="quiet">
                {t(clip.spare ? 'kept.channel_small' : 'kept.channel', { channel: clip.channel })}
              </span>
              <span className="to-right quiet">
                {clip.whole ? formatBytes(clip.size_bytes) : t('kept.part')}
              </span>
              <IconButton
                icon={Pin}
                size="small"
                label={clip.pinned ? t('kept.unpin') : t('kept.pin')}
                pressed={clip.pinned}
                onPress={() => void video.clips.pin(clip.task_id, !clip.pinned)}
              />
              <IconButton
                icon={X}
                size="small"
                label={t('kept.remove')}
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
          {isSure ? t('kept.clear_really', { size }) : t('kept.clear')}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {t('ui.close')}
        </Button>
      </div>
    </Modal>
  );
}
