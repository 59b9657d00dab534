import { createHash } from 'node:crypto'

/** The digest that is stored in place of the token of a link: of an invitation, or of the stop of a lost second factor. */
export const invitationDigest = (token: string): Buffer => createHash('sha256').update(token).digest()
