import { useStore } from 'zustand';
import { useT } from '../../i18n/useT.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { RATES, type Playback } from './playback.ts';

const PARTS: Readonly<Record<number, string | undefined>> = { 0.25: '¼', 0.5: '½' };

/** ¼ ½ 1× 2× 4× 8× */
const rateText = (rate: number): string => PARTS[rate] ?? `${rate}×`;

/** How fast it plays: all choices side by side, or in a menu where there is no room for them. */
export function RateChoice({ playback }: { playback: Playback }) {
  const t = useT();
  const rate = useStore(playback.store, (state) => state.rate);
  return (
    <>
      <div className="segments" role="group" aria-label={t('player.rate')}>
        {RATES.map((it) => (
          <button
            key={it}
            type="button"
            className="segments__one"
            aria-pressed={it === rate}
            onClick={() => playback.setRate(it)}
          >
            {rateText(it)}
          </button>
        ))}
      </div>
      <div className="rate-menu">
        <MenuButton
          label={t('player.rate_is', { rate: rateText(rate) })}
          size="normal"
          entries={RATES.map((it) => ({
            id: String(it),
            label: rateText(it),
            run: () => playback.setRate(it),
          }))}
        >
          {rateText(rate)}
        </MenuButton>
      </div>
    </>
  );
}
