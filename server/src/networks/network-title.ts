const billerTitles: Readonly<Record<string, string>> = {
  ecg: 'ECG',
  ghana_water: 'Ghana Water',
  dstv: 'DStv',
  gotv: 'GOtv',
  startimes: 'StarTimes',
}

/** The name of a network or biller as people know it. */
export const networkTitle = (network: string): string => billerTitles[network] ?? network
