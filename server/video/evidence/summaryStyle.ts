/** Dark on white, for paper. */
export const summaryStyle = `
body { font: 14px/1.45 system-ui, sans-serif; color: #14181d; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-top: 1px solid #c3c9d1; padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: #56606c; }
dd { margin: 0; }
.note { white-space: pre-line; }
.warning { font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #e1e5ea; }
th { font-weight: 600; color: #56606c; }
td { overflow-wrap: anywhere; }
.time { white-space: nowrap; width: 1%; }
.sum { font-size: .85em; color: #3a424c; }
code { font-family: ui-monospace, monospace; }
figure { margin: 0; }
figcaption { color: #56606c; font-size: .85em; }
svg { max-width: 100%; height: auto; border: 1px solid #c3c9d1; }
.ground { fill: #f6f7f9; }
polyline { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.way { stroke: #56606c; stroke-width: 2; }
.unseen { stroke: #8b95a1; stroke-width: 1.5; stroke-dasharray: 3 5; }
.shown { stroke: #0b5bd3; stroke-width: 5; }
.start, .end { fill: #fff; stroke: #14181d; stroke-width: 2.5; }
.scale { fill: none; stroke: #14181d; stroke-width: 1.5; }
.scale-text, .north { font: 12px system-ui, sans-serif; fill: #14181d; }
.north { text-anchor: middle; }
footer { margin-top: 2rem; border-top: 1px solid #c3c9d1; color: #56606c; font-size: .85em; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } section, figure, tr { break-inside: avoid; } section { break-inside: auto; } }
`;
