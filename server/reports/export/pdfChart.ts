import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { createCellText, type CellKind } from './cells.ts';
import type { ChartItem, ExportChart, HeatChart, LanesChart, Tone } from './exportCharts.ts';
import { ink } from './pdfInk.ts';
import type { PdfText } from './pdfText.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const colours: Readonly<Record<Tone, string>> = {
  plain: ink.accent,
  driving: ink.moving,
  standing: ink.stopped,
  silent: ink.line,
  critical: ink.alarm,
  warning: '#c98a1b',
  info: ink.accent,
};

const small = { size: 7, colour: ink.soft };
const barHeight = 9;
const barPitch = 12;
const heatPitch = 11;
const columnsHeight = 110;
const labelWidth = 120;
const axisHeight = 14;
const headHeight = 20;
/** So many steps of an axis at the most. */
const ticks = 5;

/** How high a chart becomes, in points. */
export function chartHeight(chart: ExportChart): number {
  const note = chart.note === null ? 0 : 11;
  const body =
    chart.shape === 'columns'
      ? columnsHeight
      : chart.shape === 'bars'
        ? chart.items.length * barPitch - axisHeight
        : (chart.shape === 'lanes' ? chart.lanes : chart.rows).length * heatPitch;
  return headHeight + body + axisHeight + note;
}

/** Draws a chart as vectors. */
export function drawChart(
  doc: PDFKit.PDFDocument,
  text: PdfText,
  chart: ExportChart,
  box: Box,
  words: ServerWords,
): void {
  const textOf = createCellText('UTC', words);
  text.line(chart.title, { x: box.x, baseline: box.y + 9, size: 9, weight: 600 });
  let right = box.x + box.width;
  for (const { tone, label } of chart.legend.toReversed()) {
    right -= text.width(label, small);
    text.line(label, { ...small, x: right, baseline: box.y + 9 });
    right -= 10;
    doc.rect(right, box.y + 3, 7, 7).fill(colours[tone]);
    right -= 10;
  }
  const body = { ...box, y: box.y + headHeight, height: chartHeight(chart) - headHeight - axisHeight };
  if (chart.note !== null) {
    body.height -= 11;
    text.line(chart.note, { ...small, x: box.x, baseline: box.y + chartHeight(chart) - 3 });
  }
  if (chart.shape === 'bars') drawBars(body, chart.items, chart.kind);
  else if (chart.shape === 'columns') drawColumns(body, chart.items, chart.kind);
  else if (chart.shape === 'lanes') drawLanes(body, chart);
  else drawHeat(body, chart);

  function sizeOf({ parts }: ChartItem) {
    return parts.reduce((sum, it) => sum + it.value, 0);
  }

  function drawBars({ x, y, width }: Box, items: readonly ChartItem[], kind: CellKind): void {
    const left = x + labelWidth + 6;
    const room = width - labelWidth - 76;
    const top = items.reduce((most, it) => Math.max(most, sizeOf(it)), 0);
    for (const [at, item] of items.entries()) {
      const line = y + at * barPitch;
      text.line(item.label, { ...small, x, baseline: line + 7.5, width: labelWidth, align: 'end' });
      let begin = left;
      for (const { tone, value } of item.parts) {
        const length = (value / top) * room;
        doc.rect(begin, line, length, barHeight).fill(colours[tone]);
        begin += length;
      }
      text.line(textOf(kind, sizeOf(item)), { ...small, x: begin + 4, baseline: line + 7.5 });
    }
  }

  function drawColumns({ x, y, width, height }: Box, items: readonly ChartItem[], kind: CellKind): void {
    const left = x + 46;
    const room = width - 46;
    const { step, top } = scaleOf(
      items.reduce((most, it) => Math.max(most, sizeOf(it)), 0),
      kind,
    );
    // Steps are round: what follows the point are zeros.
    const stepText = (value: number) => textOf(kind, value).replace(/[.,]0+$/, '');
    for (let value = 0; value <= top + step / 1_000; value += step) {
      const line = y + height - (value / top) * height;
      doc
        .moveTo(left, line)
        .lineTo(left + room, line)
        .lineWidth(0.4)
        .stroke(ink.line);
      text.line(stepText(value), { ...small, x, baseline: line + 2.5, width: 42, align: 'end' });
    }
    const pitch = room / items.length;
    const every = Math.ceil(
      items.reduce((most, it) => Math.max(most, text.width(it.label, small) + 8), 0) / pitch,
    );
    const thickness = Math.min(pitch * 0.76, 40);
    for (const [at, item] of items.entries()) {
      const middle = left + (at + 0.5) * pitch;
      let floor = y + height;
      for (const { tone, value } of item.parts) {
        const length = (value / top) * height;
        floor -= length;
        doc.rect(middle - thickness / 2, floor, thickness, length).fill(colours[tone]);
      }
      if (at % every !== 0) continue;
      const label = { x: middle - (every * pitch) / 2, width: every * pitch, align: 'centre' } as const;
      text.line(item.label, { ...small, ...label, baseline: y + height + 10 });
    }
  }

  function drawLanes({ x, y, width }: Box, { lanes, ticks, tone }: LanesChart): void {
    const left = x + labelWidth + 6;
    const room = width - labelWidth - 6;
    const bottom = y + lanes.length * heatPitch;
    let free = left;
    for (const { at, label } of ticks) {
      const tick = left + at * room;
      doc.moveTo(tick, y).lineTo(tick, bottom).lineWidth(0.4).stroke(ink.line);
      if (tick < free || tick + text.width(label, small) > x + width) continue;
      text.line(label, { ...small, x: tick, baseline: bottom + 9 });
      free = tick + text.width(label, small) + 6;
    }
    for (const [at, { label, spans }] of lanes.entries()) {
      const line = y + at * heatPitch;
      text.line(label, { ...small, x, baseline: line + 7.5, width: labelWidth, align: 'end' });
      for (const [from, to] of spans) {
        doc.rect(left + from * room, line, Math.max((to - from) * room, 0.4), heatPitch - 2);
      }
      if (spans.length > 0) doc.fill(colours[tone]);
    }
  }

  function drawHeat({ x, y, width }: Box, heat: HeatChart): void {
    const left = x + labelWidth + 6;
    const pitch = Math.min((width - labelWidth - 6) / heat.columns.length, 40);
    for (const [at, { label, cells }] of heat.rows.entries()) {
      const line = y + at * heatPitch;
      text.line(label, { ...small, x, baseline: line + 7.5, width: labelWidth, align: 'end' });
      for (const [column, share] of cells.entries()) {
        const cell = doc.rect(left + column * pitch, line, Math.max(pitch - 0.6, 0.3), heatPitch - 1);
        if (share === null) cell.lineWidth(0.3).stroke(ink.line);
        // A little is seen beside nothing.
        else
          cell
            .fillOpacity(share === 0 ? 1 : 0.15 + 0.85 * Math.min(1, share))
            .fill(share === 0 ? ink.head : ink.moving);
      }
      doc.fillOpacity(1);
    }
    const every = Math.ceil(
      heat.columns.reduce((most, it) => Math.max(most, text.width(it, small) + 6), 0) / pitch,
    );
    for (const [at, label] of heat.columns.entries()) {
      if (at % every !== 0) continue;
      text.line(label, { ...small, x: left + at * pitch, baseline: y + heat.rows.length * heatPitch + 9 });
    }
  }
}

/** Round steps of an axis; of time in steps of the clock. In the unit of the kind. */
function scaleOf(most: number, kind: CellKind): { step: number; top: number } {
  const clock = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400];
  const rough = most / ticks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const decimal = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? rough;
  const step =
    kind === 'duration'
      ? (clock.find((it) => it >= rough) ?? Math.ceil(rough / 86_400) * 86_400)
      : kind === 'count'
        ? Math.max(1, decimal)
        : decimal;
  return { step, top: Math.ceil(most / step) * step };
}
