import { Download } from 'lucide-react';
import { useT } from '../../i18n/useT.ts';
import type { Translate } from '../../i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import type { FullState } from './channelViews.ts';
import { failureLabels } from './failureLabels.ts';
import { isH265 } from './clipInfo.ts';

/** Says that a picture is the small recording, and what has become of the full one. */
export function SmallTag({ full }: { full: FullState | null }) {
  const t = useT();
  return (
    <span className="channel-video__quality" title={fullWords(full, t)}>
      {t('player.sub_stream')}
    </span>
  );
}

/** Offers the full recording as a file where the browser plays the small one alone. */
export function MainStreamNotice({
  full,
  onSave,
}: {
  full: Extract<FullState, { kind: 'unplayable' }>;
  onSave: () => void;
}) {
  const t = useT();
  return (
    <div className="channel-video__full">
      <span className="channel-video__note">{fullWords(full, t)}</span>
      <Button size="small" icon={Download} onPress={onSave}>
        {t('player.save_full')}
      </Button>
    </div>
  );
}

function fullWords(full: FullState | null, t: Translate): string {
  switch (full?.kind) {
    case undefined:
      return t('player.sub_stream_only');
    case 'coming':
      return t('player.full_coming');
    case 'missing':
      return t('player.full_missing');
    case 'failed':
      return t('player.full_failed', { reason: failureLabels(full.error, t) });
    case 'unplayable':
      return t(isH265(full.clip.movie?.codec ?? '') ? 'player.full_h265' : 'player.full_unplayable');
  }
}
