import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SkeletonRows } from '../../../renderer/ui/Skeleton.tsx';

it('rows that stand for a list on its way say that it is busy', () => {
  const rows = renderToStaticMarkup(
    <SkeletonRows className="row" widths={[[80]]} rows={1} label="Loading" />,
  );
  expect(rows).toContain('aria-busy="true"');
});
