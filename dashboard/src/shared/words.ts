/** The words that both apps share. */
export const sharedWords = {
  isLoading: 'Loading',
  noConnection: 'No connection',
  refused: 'That did not work',
  tryAgain: 'Try again',
  skipToContent: 'Go to the content',
  offline: 'You are offline. What you see may be old, and nothing is sent until you are back.',
  notFound: 'There is no such page',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  balanceAfter: 'Balance after',
  colours: 'Colours',
  light: 'Light',
  dark: 'Dark',
  auto: 'As the device',
} as const
