const unknownAccountEnding = '931'

/** Whether the biller knows nobody of this number: part of the table of endings. */
export function isUnknownAccount(number: string): boolean {
  return number.endsWith(unknownAccountEnding)
}

const names = ['AMA OWUSU', 'KOFI MENSAH', 'ABENA BOATENG', 'KWAME ASANTE', 'EFUA ANSAH', 'YAW DARKO']

/** Whose account, meter or smartcard it is: the same name for the same number, always. */
export function accountHolder(number: string): string {
  return names[Number(number.replaceAll(/\D/g, '').slice(-6)) % names.length] ?? 'AMA OWUSU'
}
