import { Download } from 'lucide-react';
import { useText } from '../../i18n/useText.ts';
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
  const say = useText();
  return (
    <div className="picture__unplayable">
      <p>
        {say(isH265 ? 'player.no_h265' : 'player.no_video', { channel })}{' '}
        <span className="picture__how">{say('player.no_video_how')}</span>
      </p>
      <Button size="small" icon={Download} onPress={onSave}>
        {say('player.save_file')}
      </Button>
    </div>
  );
}
