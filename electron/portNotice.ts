import type { PortChoice } from './ports.ts';

/** The notice to the operator about ports that other programs use; null if there are none. */
export function portNotice(ports: {
  console: PortChoice;
  /** `who` sends positions there; `wanted`: the port that could not be had, or null. */
  intake: readonly { who: string; wanted: number | null; port: number | null }[];
}): { message: string; detail: string } | null {
  const lines: string[] = [];
  const { console, intake } = ports;
  if (console.insteadOf !== null) {
    lines.push(
      `Port ${console.insteadOf} is in use, so the console and the REST API are at port ${console.port} this time. ` +
        'Videos and settings that this computer keeps for the console belong to the usual port and are back with it.',
    );
  }
  for (const { who, wanted, port } of intake) {
    if (wanted === null) continue;
    lines.push(
      `Port ${wanted}, where ${who} send positions, is in use. Positions are taken in at port ` +
        `${port ?? 'none'} this time; ${who} that send to ${wanted} do not reach Fleetdeck.`,
    );
  }
  if (lines.length === 0) return null;
  return {
    message: 'Another program is using a port of Fleetdeck.',
    detail: [...lines, 'End the other program and start Fleetdeck again.'].join('\n\n'),
  };
}
