const adultYears = 18

/**
 * Whether somebody is 18 or older on the calendar of Accra, which is UTC all year. Who was born on 29
 * February is 18 on 1 March (decision U6): eighteen years later there is no such day.
 *
 * @param dateOfBirth a day of the calendar as YYYY-MM-DD
 */
export function isAdultInAccra(dateOfBirth: string, now: Date): boolean {
  const today = now.toISOString().slice(0, 10)
  const year = String(Number(today.slice(0, 4)) - adultYears).padStart(4, '0')
  // As text: who was born on a 29 February sorts behind 28 February, also in a year that has no such day.
  return dateOfBirth <= `${year}${today.slice(4)}`
}
