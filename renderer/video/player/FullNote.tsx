import { Download } from 'lucide-react';
import { useText } from '../../i18n/useText.ts';
import type { Say } from '../../i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import type { FullState } from './channelShows.ts';
import { failureWords } from './failureWords.ts';
import { isH265 } from './movie.ts';

/** Says that a picture is the small recording, and what has become of the full one. */
export function SmallTag({ full }: { full: FullState | null }) {
  const say = useText();
  return (
    <span className="picture__quality" title={fullWords(full, say)}>
      {say('player.small')}
    </span>
  );
}

/** Offers the full recording as a file where the browser plays the small one alone. */
export function FullNote({
  full,
  onSave,
}: {
  full: Extract<FullState, { kind: 'unplayable' }>;
  onSave: () => void;
}) {
  const say = useText();
  return (
    <div className="picture__full">
      <span className="picture__note">{fullWords(full, say)}</span>
      <Button size="small" icon={Download} onPress={onSave}>
        {say('player.save_full')}
      </Button>
    </div>
  );
}

function fullWords(full: FullState | null, say: Say): string {
  switch (full?.kind) {
    case undefined:
      return say('player.small_only');
    case 'coming':
      return say('player.full_coming');
    case 'missing':
      return say('player.full_missing');
    case 'failed':
      return say('player.full_failed', { reason: failureWords(full.error, say) });
    case 'unplayable':
      return say(isH265(full.film.movie?.codec ?? '') ? 'player.full_h265' : 'player.full_unplayable');
  }
}
