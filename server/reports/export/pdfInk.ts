/** The colours of printed pages: those of the console's light theme. */
export const ink = {
  text: '#12191c',
  soft: '#44525a',
  line: '#d3dadc',
  strong: '#a9b5ba',
  head: '#edf1f2',
  accent: '#0a6685',
  moving: '#1a7439',
  stopped: '#8a979e',
  alarm: '#be2a1f',
} as const;
