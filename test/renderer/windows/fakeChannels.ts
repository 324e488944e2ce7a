/** Channels of one name, each of another window: what one posts, all others hear. */
export function createFakeChannels() {
  const channels = new Set<{ onmessage: ((event: MessageEvent) => void) | null }>();
  return () => {
    const own = {
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage(data: unknown) {
        for (const other of channels) {
          if (other !== own) other.onmessage?.({ data: structuredClone(data) } as MessageEvent);
        }
      },
    };
    channels.add(own);
    return own;
  };
}
