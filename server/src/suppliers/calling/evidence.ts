import type { SupplierReply } from './call-supplier.ts'

/** Enough for a person to see what was said; a page of HTML is cut. */
const evidenceCharactersMax = 500

/**
 * What a supplier said, as it is kept for the operator: one line, shortened, control characters and
 * lone surrogates replaced (PostgreSQL stores neither NUL nor broken UTF-8), the given secrets blanked.
 */
export function evidenceOf(text: string, secrets: readonly string[] = []): string {
  let plain = text.slice(0, evidenceCharactersMax * 4)
  for (const secret of secrets) if (secret.length > 0) plain = plain.replaceAll(secret, '[redacted]')
  plain = plain
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  // Most answers are short, and a text has no more characters than code units.
  if (plain.length <= evidenceCharactersMax) return plain
  const characters = Array.from(plain)
  return characters.length <= evidenceCharactersMax ? plain : `${characters.slice(0, evidenceCharactersMax).join('')}…`
}

/** What became of a request, as it is kept for the operator. */
export function evidenceFrom(reply: SupplierReply): string {
  return reply.kind === 'answered' ? evidenceOf(`HTTP ${reply.status} ${reply.body}`) : evidenceOf(reply.evidence)
}
