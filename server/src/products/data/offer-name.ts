/** One supplier's offer of a package, as alarms and commands call it. */
export function offerName(offered: { network: string; volumeGb: number; supplier: string }): string {
  return `${offered.network} ${offered.volumeGb}GB ${offered.supplier}`
}
