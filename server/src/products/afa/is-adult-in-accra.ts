const adultYears = 18

/**
 * Whether a person is 18 or older by Accra's calendar, which is UTC all year. A person born on 29 February is 18 on 1 March
 * (decision U6), because the year of the 18th birthday has no 29 February.
 * @param dateOfBirth a calendar day as YYYY-MM-DD
 */
export function isAdultInAccra(dateOfBirth: string, now: Date): boolean {
  const today = now.toISOString().slice(0, 10)
  const year = String(Number(today.slice(0, 4)) - adultYears).padStart(4, '0')
  // Compared as texts, in which 29 February follows 28 February even in a year without that day.
  return dateOfBirth <= `${year}${today.slice(4)}`
}
