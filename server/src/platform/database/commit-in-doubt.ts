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

/** Throws when the answer to a commit cannot be trusted. */
export type CommitWatch = {
  /** Called when a statement is sent: COMMIT, or another one, which may be a transaction of its own. */
  begin(isCommit: boolean): void
  /** The statement has been answered. @throws CommitInDoubtError when its commit came with a warning */
  end(): void
}

/**
 * Watches the commits of one connection. The answer to a commit is trusted only when no warning came with it: when
 * somebody cancels the wait for a synchronous standby, the server commits without the standby and says so only in a
 * warning.
 *
 * A statement outside a transaction is committed after it is complete: PostgreSQL sends CommandComplete, then commits,
 * then sends ReadyForQuery, for which pg waits. So a warning after CommandComplete is the commit's own.
 */
export function watchCommits(client: pg.Client): CommitWatch {
  let isCommitting = false
  let warnings: string[] = []
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  connection.on('commandComplete', () => {
    isCommitting = true
  })
  client.on('notice', (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (isCommitting && isWarning(notice)) warnings.push(notice.message ?? '')
  })

  return {
    begin(isCommit) {
      isCommitting = isCommit
      warnings = []
    },
    end() {
      if (warnings.length > 0) throw new CommitInDoubtError(warnings.join('; '))
    },
  }
}
