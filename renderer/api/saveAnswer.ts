import type { AppContext } from '../appContext/appContext.ts';

/** The server's own name for a file, as far as it says one. */
export function nameOfAnswer({ headers }: Response, otherwise: string): string {
  const disposition = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? otherwise;
}

/** Hands the file of an answer to the user, under the server's name for it. */
export async function saveAnswer(
  { platform }: Pick<AppContext, 'platform'>,
  answer: Response,
  otherwise: string,
) {
  return platform.saveFile(nameOfAnswer(answer, otherwise), await answer.blob());
}
