import type { SupplierReply } from './call-supplier.ts'

/** Enough for a person to understand the answer. A page of HTML is cut. */
const evidenceCharactersMax = 500

/** Matches ASCII words with single blanks, such as ids and most answers: nothing in them needs replacing. */
const isPlainLine = /^(?:[!-~]+(?: [!-~]+)*)?$/

/**
 * A supplier's answer as stored for the operator: one line, shortened, with control characters and lone surrogates replaced
 * (PostgreSQL stores neither NUL nor broken UTF-8) and the given secrets removed.
 */
export function evidenceOf(text: string, secrets: readonly string[] = []): string {
  if (secrets.length === 0 && text.length <= evidenceCharactersMax && isPlainLine.test(text)) return text
  let plain = text.slice(0, evidenceCharactersMax * 4)
  for (const secret of secrets) if (secret.length > 0) plain = plain.replaceAll(secret, '[redacted]')
  plain = plain
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  // Most answers are short. A text never has more characters than code units, so this check is enough.
  if (plain.length <= evidenceCharactersMax) return plain
  const characters = Array.from(plain)
  return characters.length <= evidenceCharactersMax ? plain : `${characters.slice(0, evidenceCharactersMax).join('')}…`
}

/** The result of a request as stored for the operator. */
export function evidenceFrom(reply: SupplierReply): string {
  return reply.kind === 'answered' ? evidenceOf(`HTTP ${reply.status} ${reply.body}`) : evidenceOf(reply.evidence)
}
