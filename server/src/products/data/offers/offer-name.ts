/** The name of a supplier's offer of a package in alarms and commands. */
export function offerName(offered: { network: string; volumeGb: number; supplier: string }): string {
  return `${offered.network} ${offered.volumeGb}GB ${offered.supplier}`
}
