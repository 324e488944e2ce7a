const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/;

/** Whether no other computer than the server's can open a link. */
export const isOfServerAlone = (link: string): boolean => LOOPBACK.test(new URL(link).hostname);

/**
 * The links to send, the best one first: by the address at which this console was reached, which may be that of a proxy,
 * and by those of the server. One that opens on the computer of the server alone is given where there is no other.
 *
 * @param links by the addresses of the server, as it knows them
 * @param origin of this page
 */
export function givenLinks(links: readonly string[], origin: string): string[] {
  const [first] = links;
  if (first === undefined) return [];
  const { pathname, hash } = new URL(first);
  const all = [...new Set([`${origin}${pathname}${hash}`, ...links])];
  const outward = all.filter((it) => !isOfServerAlone(it));
  return outward.length > 0 ? outward : [first];
}
