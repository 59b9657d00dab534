import type pg from 'pg'

/**
 * COMMIT was answered, but with a warning before its answer: the transaction stands on this server alone. It is
 * treated as a COMMIT whose answer was lost, hence the code `transaction_resolution_unknown`.
 */
export class CommitInDoubtError extends Error {
  override name = 'CommitInDoubtError'
  readonly code = '08007'
  constructor(warning: string) {
    super(`It was committed on this database server alone and may be lost with it. The server warned: ${warning}`)
  }
}

/** The class of warnings in PostgreSQL's appendix A: by its code, since its words may be in any language. */
const isWarning = ({ code }: { code?: string | undefined }) => code?.startsWith('01') === true

/**
 * Sends COMMIT and believes its answer only when nothing was warned of on the way. Somebody who cancels the wait
 * for a synchronous standby makes the server commit without it, and say so in a warning and not in the answer.
 *
 * @throws CommitInDoubtError
 */
export async function commitWithoutWarning<Result>(client: pg.Client, commit: () => Promise<Result>): Promise<Result> {
  const warnings: string[] = []
  const onNotice = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (isWarning(notice)) warnings.push(notice.message ?? '')
  }
  client.on('notice', onNotice)
  try {
    const result = await commit()
    if (warnings.length > 0) throw new CommitInDoubtError(warnings.join('; '))
    return result
  } finally {
    client.off('notice', onNotice)
  }
}
