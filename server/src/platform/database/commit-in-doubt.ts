import type pg from 'pg'

/**
 * COMMIT was answered, but a warning came before the answer: the transaction is committed on this server alone and not
 * on its standby. It is treated like a COMMIT whose answer was lost, so its code is `transaction_resolution_unknown`.
 */
export class CommitInDoubtError extends Error {
  override name = 'CommitInDoubtError'
  readonly code = '08007'
  constructor(warning: string) {
    super(`It was committed on this database server alone and may be lost with it. The server warned: ${warning}`)
  }
}

/** Warnings have codes that begin with 01 (PostgreSQL, appendix A). Their words may be in any language. */
const isWarning = ({ code }: { code?: string | undefined }) => code?.startsWith('01') === true

/**
 * Sends COMMIT and trusts its answer only when no warning came with it. When somebody cancels the wait for a
 * synchronous standby, the server commits without the standby; it says so only in a warning.
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
