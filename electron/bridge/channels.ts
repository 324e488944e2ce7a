/** The names under which preload and shell speak with each other. */
export const channels = {
  /** Asked and answered at once: a page cannot start without them. */
  facts: 'desktop:facts',
  setupCode: 'desktop:setup-code',
  /** Asked; the answer comes later. */
  saveFile: 'desktop:save-file',
  /** Sent by the page. */
  notify: 'desktop:notify',
  setBadge: 'desktop:set-badge',
  bringToFront: 'desktop:bring-to-front',
  /** Sent by the shell. */
  noticeOpened: 'desktop:notice-opened',
} as const;
