import { createHash } from 'node:crypto'

/** The digest that is stored in place of the token of an invitation's link. */
export const invitationDigest = (token: string): Buffer => createHash('sha256').update(token).digest()
