const adultYears = 18

/**
 * Whether somebody is 18 or older on the calendar of Accra, which is UTC all year. Who was born on 29
 * February is 18 on 1 March (decisions U6): eighteen years later there is no such day.
 *
 * @param dateOfBirth a day of the calendar as YYYY-MM-DD
 */
export function isAdultInAccra(dateOfBirth: string, now: Date): boolean {
  const year = Number(dateOfBirth.slice(0, 4)) + adultYears
  const adultFrom = `${String(year).padStart(4, '0')}${dateOfBirth.slice(4)}`
  // As text: a 29 February that does not exist still sorts before 1 March.
  return adultFrom <= now.toISOString().slice(0, 10)
}
