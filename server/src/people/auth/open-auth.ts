import type { Auth, AuthDeps, AuthUse } from './create-auth.ts'

/** Makes the library ready for one use. */
export type OpenAuth = (use?: AuthUse) => Promise<Auth>

/**
 * Loads the library when it is first used. A process that serves only programs never needs it, and with it would start
 * later and take some 30 MB more.
 */
export function prepareAuth(deps: AuthDeps): OpenAuth {
  let plain: Auth | undefined
  return async (use) => {
    const { createAuth } = await import('./create-auth.ts')
    if (use) return createAuth(deps, use)
    plain ??= createAuth(deps)
    return plain
  }
}
