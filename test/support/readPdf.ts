import { extractText, getDocumentProxy } from 'unpdf';

/** The lines of text of each page, read by Mozilla's PDF.js. */
export async function readPdf(bytes: Uint8Array): Promise<string[][]> {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)));
  return text.map((page) => page.split('\n').map((line) => line.trim()));
}
