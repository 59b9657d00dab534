/** A result of one check of `makola doctor`. */
export type Finding = {
  /** A problem stops Makola from serving, or puts money at risk. A warning may become one, or may be intended. */
  level: 'ok' | 'warning' | 'problem'
  topic: string
  message: string
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Runs one check. If it throws, reports that as a problem of its topic, so that the other checks go on. */
export async function examineTopic(topic: string, examine: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examine()
  } catch (error) {
    return [{ level: 'problem', topic, message: messageOf(error) }]
  }
}
