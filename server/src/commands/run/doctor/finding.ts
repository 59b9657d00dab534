/** One thing that `makola doctor` looked at. */
export type Finding = {
  /** A problem keeps Makola from serving, or money from being safe; a warning will become one, or may be meant so. */
  level: 'ok' | 'warning' | 'problem'
  topic: string
  message: string
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Runs one look: what it throws is a problem of its topic, never the end of the examination. */
export async function look(topic: string, examine: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examine()
  } catch (error) {
    return [{ level: 'problem', topic, message: messageOf(error) }]
  }
}
