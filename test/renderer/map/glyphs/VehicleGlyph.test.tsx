import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { VehicleGlyph } from '../../../../renderer/map/glyphs/VehicleGlyph.tsx';
import { BRACKETS, GLYPHS } from '../../../../renderer/map/glyphs/glyphShapes.ts';

describe('a vehicle’s glyph in a list', () => {
  it('a vehicle’s glyph in a list is the shape of its state in the colour of its state, turned to its course', () => {
    const svg = renderToStaticMarkup(<VehicleGlyph state="moving" course={63} />);
    expect(svg).toContain(GLYPHS.moving.fill);
    expect(svg).toContain('var(--moving)');
    expect(svg).toContain('rotate(63 12 12)');
    expect(svg).not.toContain(BRACKETS);
  });

  it('a vehicle’s glyph in a list takes the alarm’s colour and brackets until the alarm is acknowledged', () => {
    const svg = renderToStaticMarkup(<VehicleGlyph state="idle" severity="warning" />);
    expect(svg).toContain(BRACKETS);
    expect(svg).toContain('var(--warn)');
    expect(svg).not.toContain('var(--idle)');
  });

  it('a vehicle’s glyph in a list gets its own colour back inside thin brackets after the acknowledgement', () => {
    const svg = renderToStaticMarkup(<VehicleGlyph state="idle" severity="alarm" acknowledged />);
    expect(svg).toContain('var(--idle)');
    expect(svg).toContain('var(--text-3)');
    expect(svg).not.toContain('var(--alarm)');
  });

  it('a vehicle’s glyph in a list is hollow when stale', () => {
    expect(renderToStaticMarkup(<VehicleGlyph state="stopped" stale />)).not.toContain(
      'fill="var(--stopped)"',
    );
  });

  it('a vehicle’s glyph in a list is spoken when it has words, and silent decoration otherwise', () => {
    expect(renderToStaticMarkup(<VehicleGlyph state="offline" label="offline" />)).toContain(
      'aria-label="offline"',
    );
    expect(renderToStaticMarkup(<VehicleGlyph state="offline" />)).toContain('aria-hidden="true"');
  });
});
