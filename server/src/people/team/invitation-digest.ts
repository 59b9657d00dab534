import { createHash } from 'node:crypto'

/** What is stored of the token in an invitation's link. */
export const invitationDigest = (token: string): Buffer => createHash('sha256').update(token).digest()
