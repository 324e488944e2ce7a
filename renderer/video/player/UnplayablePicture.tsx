import { Download } from 'lucide-react';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';

/** Says that this browser does not play a channel's file, and offers the file, which is whole. */
export function UnplayablePicture({
  channel,
  isH265,
  onSave,
}: {
  channel: number;
  isH265: boolean;
  onSave: () => void;
}) {
  const t = useT();
  return (
    <div className="channel-video__unplayable">
      <p>
        {t(isH265 ? 'player.no_h265' : 'player.no_video', { channel })}{' '}
        <span className="channel-video__how">{t('player.no_video_how')}</span>
      </p>
      <Button size="small" icon={Download} onPress={onSave}>
        {t('player.save_file')}
      </Button>
    </div>
  );
}
