export const deskFindWords = {
  hint: 'Find a number, name, reference, amount, screen…',
} as const
