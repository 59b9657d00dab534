const unknownAccountEnding = '931'

/** Returns whether the biller has no account of this number (see the table of endings in the README). */
export function isUnknownAccount(number: string): boolean {
  return number.endsWith(unknownAccountEnding)
}

const names = ['AMA OWUSU', 'KOFI MENSAH', 'ABENA BOATENG', 'KWAME ASANTE', 'EFUA ANSAH', 'YAW DARKO']

/** The holder of an account, meter or smartcard. The same number always has the same name. */
export function accountHolder(number: string): string {
  return names[Number(number.replaceAll(/\D/g, '').slice(-6)) % names.length] ?? 'AMA OWUSU'
}
