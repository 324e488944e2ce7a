import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  earlierTexts,
  nothingRecalled,
  stepRecall,
} from '../../../renderer/terminalCommands/CommandForm.tsx';

describe('earlier texts', () => {
  it('earlier texts stand each once, the newest first, without what was no text', () => {
    const texts = ['getver', null, 'getinfo', 'getver'].map((text) => ({ text }));
    expect(earlierTexts(texts)).toEqual(['getver', 'getinfo']);
  });

  it('earlier texts are gone through step by step, back to what was typed', () => {
    const texts = ['getver', 'getinfo'];
    const first = stepRecall(texts, nothingRecalled, 'setd', 1);
    expect(first?.text).toBe('getver');
    const second = stepRecall(texts, first?.recall ?? nothingRecalled, 'getver', 1);
    expect(second?.text).toBe('getinfo');
    expect(stepRecall(texts, second?.recall ?? nothingRecalled, 'getinfo', 1)).toBeNull();
    const back = stepRecall(texts, second?.recall ?? nothingRecalled, 'getinfo', -1);
    expect(back?.text).toBe('getver');
    expect(stepRecall(texts, back?.recall ?? nothingRecalled, 'getver', -1)).toEqual({
      recall: nothingRecalled,
      text: 'setd',
    });
    expect(stepRecall(texts, nothingRecalled, 'setd', -1)).toBeNull();
  });

  it('earlier texts give back what was typed after as many steps back as there were', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { minLength: 1 }),
        fc.string(),
        fc.nat(20),
        (texts, draft, steps) => {
          let recall = nothingRecalled;
          let text = draft;
          const step = (by: 1 | -1) => {
            const next = stepRecall(texts, recall, text, by);
            if (next !== null) ({ recall, text } = next);
          };
          for (let n = 0; n < steps; n += 1) step(1);
          expect(text).toBe(steps === 0 ? draft : texts[Math.min(steps, texts.length) - 1]);
          for (let n = 0; n < steps; n += 1) step(-1);
          expect(text).toBe(draft);
        },
      ),
    );
  });
});
