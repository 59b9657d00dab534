import { credentialTitle } from '../words/credentials.ts'

type Credential = { readonly name: string; readonly is_set: boolean }
type Own = { readonly help?: string | undefined; readonly isNeeded?: boolean }
type CredentialField = Own & { readonly kind: 'password'; readonly label: string; readonly lengthMax: number }

/** A field for each credential. What is typed is forgotten when the form closes, and no answer of the server shows it again. */
export const credentialFields = <C extends Credential>(
  credentials: readonly C[],
  ownOf: (credential: C) => Own,
): Readonly<Record<string, CredentialField>> =>
  Object.fromEntries(
    credentials.map((credential) => [
      credential.name,
      { kind: 'password', label: credentialTitle(credential.name), lengthMax: 4_000, ...ownOf(credential) },
    ]),
  )

/** Leaves out empty fields: the server keeps the stored value of a credential that is not sent, and refuses an empty one. */
export const givenOf = (typed: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))
