import type { OpenAuth } from '../auth/open-auth.ts'

type LinkDeps = { readonly openAuth: OpenAuth; readonly publicUrl: string }

/** The token stands behind the #, which browsers send to nobody, so that no log and no other site gets it. */
function linkTo(publicUrl: string, page: string, token: string | undefined): string {
  if (token === undefined) throw new Error('the library made no token')
  return `${publicUrl}${page}#token=${encodeURIComponent(token)}`
}

/** A link that shows that its reader gets the mails to this e-mail. The person must not be verified yet. */
export async function makeVerificationLink({ openAuth, publicUrl }: LinkDeps, email: string): Promise<string> {
  let token: string | undefined
  const auth = await openAuth({ onToken: (made) => void (token = made) })
  await auth.api.sendVerificationEmail({ body: { email } })
  return linkTo(publicUrl, '/app/verify', token)
}

/** A link with which a person sets a password, once, within some hours. */
export async function makePasswordLink(
  { openAuth, publicUrl }: LinkDeps,
  email: string,
  { hours, page = '/app/set-password' }: { readonly hours: number; readonly page?: string },
): Promise<string> {
  let token: string | undefined
  const auth = await openAuth({ onToken: (made) => void (token = made), resetHours: hours })
  await auth.api.requestPasswordReset({ body: { email } })
  return linkTo(publicUrl, page, token)
}
