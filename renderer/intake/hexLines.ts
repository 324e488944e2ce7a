/** A line of a hex dump: where it begins, its bytes in two groups, and what of them is text. */
export interface HexLine {
  offset: string;
  hex: string;
  text: string;
}

const lineBytes = 8;
const groupBytes = 4;

/**
 * Bytes as people compare them with a maker's description: eight to a line, with their place and their text.
 *
 * @param hex two digits a byte, with nothing between them
 */
export function hexLines(hex: string): HexLine[] {
  const bytes = hex.match(/../g) ?? [];
  const lines: HexLine[] = [];
  for (let at = 0; at < bytes.length; at += lineBytes) {
    const line = bytes.slice(at, at + lineBytes);
    lines.push({
      offset: at.toString(16).padStart(4, '0'),
      hex: groupsOf(line).join('  '),
      text: line.map(printed).join(''),
    });
  }
  return lines;
}

/** The dump as one text, its columns in line. */
export function hexText(hex: string): string {
  const width = lineBytes * 3;
  return hexLines(hex)
    .map((line) => `${line.offset}  ${line.hex.padEnd(width)}  ${line.text}`)
    .join('\n');
}

function groupsOf(bytes: readonly string[]): string[] {
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += groupBytes)
    groups.push(bytes.slice(at, at + groupBytes).join(' '));
  return groups;
}

/** A byte as the letter that it is in ASCII; a point for all that cannot be printed. */
function printed(byte: string): string {
  const code = Number.parseInt(byte, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
}
