/** A message to the operator: an alarm was raised or has cleared, or a note that needs no action. */
export type Alert = {
  /** The alarm's id. A receiver that gets the same id with the same change again can ignore it. */
  readonly id: string
  readonly change: 'raised' | 'cleared' | 'note'
  readonly name: string
  readonly subject: string
  readonly message: string
  readonly raisedAt: Date
  readonly clearedAt: Date | null
}

const words = { raised: 'ALARM', cleared: 'cleared', note: 'note' } as const

/** Writes one alert in words. Of several alerts it writes how many were raised and how many have cleared. */
export function alertTitle(alerts: readonly Alert[]): string {
  const [first] = alerts
  if (first && alerts.length === 1) return `${words[first.change]}: ${first.name} ${first.subject}`
  const raised = alerts.filter(({ change }) => change === 'raised').length
  const parts = [
    ...(raised === 0 ? [] : [`${raised} alarm${raised === 1 ? '' : 's'}`]),
    ...(raised === alerts.length ? [] : [`${alerts.length - raised} cleared`]),
  ]
  return parts.join(', ')
}

export function alertText(alerts: readonly Alert[], publicUrl: string): string {
  const lines = alerts.map(({ change, name, subject, message, raisedAt, clearedAt }) => {
    const at = (change === 'cleared' ? (clearedAt ?? raisedAt) : raisedAt).toISOString()
    return `${words[change]} ${name} ${subject}\n${message}\n${at}`
  })
  return `${lines.join('\n\n')}\n\n${publicUrl} · what each alarm means: docs/operating/alarms.md\n`
}
