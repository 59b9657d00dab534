import type { Auth, AuthDeps, AuthUse } from './create-auth.ts'

export type OpenAuth = (use?: AuthUse) => Promise<Auth>

/**
 * Loads the library at the first use, because it delays a start and takes some 30 MB, and a process that serves only API keys
 * never needs it.
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
