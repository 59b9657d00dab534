import pLimit from 'p-limit'

/**
 * One hash at a time in each process: a hash takes 32 MB and a tenth of a second of a core, which many sign-ins at once would
 * take from purchases.
 */
const inTurn = pLimit(1)

/** Loads the library at the first call. */
export async function hashPersonPassword(password: string): Promise<string> {
  const { hashPassword } = await import('better-auth/crypto')
  return inTurn(() => hashPassword(password))
}

export async function isPersonPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const { verifyPassword } = await import('better-auth/crypto')
  return inTurn(() => verifyPassword({ hash, password }))
}
