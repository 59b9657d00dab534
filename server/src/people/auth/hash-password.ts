import pLimit from 'p-limit'

/** Each hash takes 32 MB and a tenth of a second of a core: many sign-ins at once would take both from those who buy. */
const inTurn = pLimit(1)

/** Computes the hash of a password as it is stored. Loads the library when it is first used. */
export async function hashPersonPassword(password: string): Promise<string> {
  const { hashPassword } = await import('better-auth/crypto')
  return inTurn(() => hashPassword(password))
}

/** Checks a password against its stored hash, which takes as long as computing one. */
export async function isPersonPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const { verifyPassword } = await import('better-auth/crypto')
  return inTurn(() => verifyPassword({ hash, password }))
}
