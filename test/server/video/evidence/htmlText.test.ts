import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServerWords } from '../../../../server/contract/texts/serverWords.ts';
import { html, zonedTime } from '../../../../server/video/evidence/summaryHtml.ts';

describe('markup with values in it', () => {
  it('markup with values in it lets no text become markup, in an element or in an attribute', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const made = html`<p title="${text}">${text}</p>`.html;
        const [, inside = '<'] = /^<p title="[^"]*">([^]*)<\/p>$/.exec(made) ?? [];
        expect(inside).not.toMatch(/[<>]/);
        const back = inside
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        expect(back).toBe(text);
      }),
    );
  });

  it('markup with values in it takes numbers, other markup, lists of it, and null for nothing', () => {
    const rows = [1, 2].map((n) => html`<i>${n}</i>`);
    const made = html`<p>${rows}${null}${html`<b>&amp;</b>`}</p>`.html;
    expect(made.replaceAll(/\s/g, '')).toBe('<p><i>1</i><i>2</i><b>&amp;</b></p>');
  });

  it('markup with values in it leaves the line breaks and blanks of a text as they are', () => {
    expect(html`<p>${'a\n\n  b'}</p>`.html).toBe('<p>a\n\n  b</p>');
  });
});

it('a moment is given in the time zone of the depot, in summer and in winter', () => {
  const at = zonedTime('Europe/Riga', createServerWords({}));
  expect(at(Date.UTC(2026, 0, 31, 23, 30))).toBe('2026-02-01 01:30:00 GMT+02:00');
  expect(at(Date.UTC(2026, 6, 1, 12))).toBe('2026-07-01 15:00:00 GMT+03:00');
  expect(zonedTime('UTC', createServerWords({}))(0)).toBe('1970-01-01 00:00:00 GMT+00:00');
  const of12Hours = createServerWords({ hour_cycle: 'h12' });
  expect(zonedTime('UTC', of12Hours)(0)).toBe('1970-01-01 12:00:00 am GMT+00:00');
});
