import { useMemo } from 'react';

/** A curve with its ground filled, cut where nothing is known; 0 to `top`. */
export function Area({ values, top }: { values: Float64Array; top: number }) {
  const path = useMemo(() => {
    let line = '';
    let area = '';
    let from = null as number | null;
    values.forEach((value, x) => {
      if (Number.isNaN(value)) {
        if (from !== null) area += `L${x - 1} 100Z`;
        from = null;
        return;
      }
      const point = `${x} ${(100 - (value / top) * 96).toFixed(1)}`;
      if (from === null) {
        line += `M${point}`;
        area += `M${x} 100L${point}`;
        from = x;
      } else {
        line += `L${point}`;
        area += `L${point}`;
      }
    });
    if (from !== null) area += `L${values.length - 1} 100Z`;
    return { line, area };
  }, [values, top]);
  return (
    <svg className="history-area" viewBox={`0 0 ${values.length} 100`} preserveAspectRatio="none" aria-hidden>
      <path className="history-area__ground" d={path.area} />
      <path className="history-area__line" d={path.line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
