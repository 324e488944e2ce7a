/** What terminals say; named where this host acts on it. */
export const fromTerminal = {
  generalResponse: 0x0001,
  heartbeat: 0x0002,
  deregister: 0x0003,
  /** Since 2019. */
  askTime: 0x0004,
  register: 0x0100,
  authenticate: 0x0102,
  position: 0x0200,
  askedPosition: 0x0201,
  driver: 0x0702,
  positionBatch: 0x0704,
  mediaEvent: 0x0800,
  media: 0x0801,
} as const;

const words: Readonly<Record<number, string>> = {
  [fromTerminal.generalResponse]: 'answer',
  [fromTerminal.heartbeat]: 'heartbeat',
  [fromTerminal.deregister]: 'deregistration',
  [fromTerminal.askTime]: 'question for the time',
  [fromTerminal.register]: 'registration',
  [fromTerminal.authenticate]: 'authentication',
  [fromTerminal.position]: 'position',
  [fromTerminal.askedPosition]: 'position that was asked for',
  [fromTerminal.driver]: 'driver',
  [fromTerminal.positionBatch]: 'batch of positions',
  [fromTerminal.mediaEvent]: 'picture, sound or video that was made',
  [fromTerminal.media]: 'picture, sound or video',
};

/** A message of a terminal as people look it up: "0x0002 heartbeat"; of what is not named here the number alone. */
export function messageWords(id: number): string {
  const number = `0x${id.toString(16).padStart(4, '0')}`;
  const name = words[id] ?? (isAnswer(id) ? words[fromTerminal.generalResponse] : undefined);
  return name === undefined ? number : `${number} ${name}`;
}

export const fromPlatform = {
  generalResponse: 0x8001,
  askParts: 0x8003,
  serverTime: 0x8004,
  registrationAnswer: 0x8100,
  askPosition: 0x8201,
  text: 0x8300,
  mediaAnswer: 0x8800,
} as const;

/**
 * Messages that answer one of the platform: parameters and attributes (0104, 0107), a position (0201), the answer to a
 * question (0302), control of the vehicle (0500), stored pictures (0802), a picture taken (0805); of JT/T 1078 media
 * properties (1003), recordings (1205) and the end of an upload (1206). They are taken also when nobody waits any more,
 * or the terminal would send them again.
 */
const answers: ReadonlySet<number> = new Set([
  0x0104, 0x0107, 0x0201, 0x0302, 0x0500, 0x0802, 0x0805, 0x1003, 0x1205, 0x1206,
]);

export function isAnswer(id: number): boolean {
  return answers.has(id);
}
