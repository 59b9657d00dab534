/** An amount in GHS as it is typed, with a point or a comma; undefined while it is none, or has more than 2 decimals. */
export function readAmount(text: string): number | undefined {
  const [, whole = '', pesewas = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  const amount = Number(`${whole}.${pesewas || '0'}`)
  return whole !== '' && amount > 0 ? amount : undefined
}
