import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { collected } from './collected.ts';
import type { ExportTable } from './exportTable.ts';
import {
  columnName,
  factsXml,
  sheetXml,
  styles,
  xmlText,
  type SheetExtent,
  type Style,
} from './xlsxSheet.ts';

/** Of 500,000 rows it saves three seconds against the default, and the file is a tenth larger. */
const compressionLevel = 3;

/**
 * A report as a workbook (ECMA-376, transitional) of two sheets: its rows, and what it is. Only the packed bytes and
 * the first rows are held.
 *
 * @throws ExportTooLarge
 */
export async function xlsxWorkbook(table: ExportTable, max_bytes: number): Promise<Uint8Array[]> {
  const zip = new ZipFile();
  const options = { mtime: new Date(table.now_ms), compressionLevel, mode: 0o100644 };
  const extent: SheetExtent = { rows: 0 };
  const name = sheetName(table.title);
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, options);
  add('[Content_Types].xml', contentTypes);
  add('_rels/.rels', rootRels);
  add('docProps/core.xml', coreXml(table));
  add('xl/_rels/workbook.xml.rels', workbookRels);
  add('xl/styles.xml', stylesXml());
  const sheet = Readable.from(buffers(sheetXml(table, extent)));
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', options);
  // What these say is known when the rows have gone by.
  const facts = Readable.from(later(() => factsXml(table)));
  zip.addReadStream(facts, 'xl/worksheets/sheet2.xml', options);
  const workbook = Readable.from(later(() => workbookXml(name, table, extent.rows)));
  zip.addReadStream(workbook, 'xl/workbook.xml', options);
  zip.end();
  const failed = new Promise<never>((_, reject) => {
    for (const stream of [sheet, facts, workbook, zip]) stream.on('error', reject);
  });
  return Promise.race([collected(zip.outputStream, max_bytes), failed]);
}

function* later(text: () => string): Generator<Buffer> {
  yield Buffer.from(text());
}

function* buffers(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) if (text !== '') yield Buffer.from(text);
}

/** A name that spreadsheets take: 31 characters without those of references; “History” is theirs. */
export function sheetName(title: string): string {
  const name = title
    .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ')
    .trim()
    .replaceAll(/^'+|'+$/g, '')
    .slice(0, 31)
    .trim();
  return name === '' || /^(history|details)$/i.test(name) ? 'Report' : name;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const sheetMain = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetMain}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetMain}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${sheetMain}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetMain}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;

const rootRels = `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

const workbookRels = `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;

function coreXml({ title, now_ms }: ExportTable): string {
  return `${head}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>Fleetdeck</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${new Date(now_ms).toISOString()}</dcterms:created></cp:coreProperties>`;
}

/** The head is printed on every page; what has a filter is named, as spreadsheets do themselves. */
function workbookXml(name: string, { columns, groups }: ExportTable, rows: number): string {
  const quoted = xmlText(`'${name.replaceAll("'", "''")}'`);
  const range = `$A$1:$${columnName(columns.length - 1)}$${rows + 1}`;
  const filter =
    groups === undefined
      ? `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${quoted}!${range}</definedName>`
      : '';
  return `${head}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets><sheet name="${xmlText(name)}" sheetId="1" r:id="rId1"/><sheet name="Details" sheetId="2" r:id="rId2"/></sheets><definedNames>${filter}<definedName name="_xlnm.Print_Titles" localSheetId="0">${quoted}!$1:$1</definedName></definedNames></workbook>`;
}

interface Look {
  /** A built-in number format (18.8.30), or one of `ownFormats`. */
  format: number;
  bold?: boolean;
  /** Of a total: a line above; of a head: filled. */
  dress?: 'total' | 'head';
  attributes?: string;
}

const ownFormats = {
  164: 'yyyy-mm-dd',
  165: 'yyyy-mm-dd hh:mm:ss',
  166: '[h]:mm:ss',
  167: '0.0',
  168: '0.00000',
} as const;

const looks: Readonly<Record<Style, Look>> = {
  plain: { format: 0 },
  head: { format: 49, bold: true, dress: 'head' },
  name: { format: 49, bold: true },
  title: { format: 49, bold: true },
  quoted: { format: 49, attributes: ' quotePrefix="1"' },
  date: { format: 164 },
  time: { format: 165 },
  duration: { format: 166 },
  km: { format: 2 },
  whole: { format: 1 },
  number: { format: 167 },
  share: { format: 9 },
  degrees: { format: 168 },
  mb: { format: 2 },
  total: { format: 0, bold: true, dress: 'total' },
  totalDuration: { format: 166, bold: true, dress: 'total' },
  totalKm: { format: 2, bold: true, dress: 'total' },
  totalWhole: { format: 1, bold: true, dress: 'total' },
  totalNumber: { format: 167, bold: true, dress: 'total' },
  totalMb: { format: 2, bold: true, dress: 'total' },
};

function stylesXml(): string {
  const formats = Object.entries(ownFormats).map(
    ([id, code]) => `<numFmt numFmtId="${id}" formatCode="${xmlText(code)}"/>`,
  );
  const xfs = styles.map((name) => {
    const { format, bold = false, dress, attributes = '' } = looks[name];
    const [fill, border] = [dress === 'head' ? 2 : 0, dress === 'total' ? 1 : 0];
    return `<xf numFmtId="${format}" fontId="${name === 'title' ? 2 : Number(bold)}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${attributes}/>`;
  });
  const font = (size: number, isBold: boolean) =>
    `<font>${isBold ? '<b/>' : ''}<sz val="${size}"/><name val="Calibri"/><family val="2"/></font>`;
  return `${head}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="3">${font(11, false)}${font(11, true)}${font(14, true)}</fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7EBF0"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top style="thin"><color auto="1"/></top><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}
