import type { Configuration } from 'openid-client'

export type DirectoryConfig = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The domains of e-mails that may sign in, in lower case; empty: all. */
  readonly domains: readonly string[]
  /** The group to which a person must belong, if any. */
  readonly group: string | undefined
  /** Values of `amr` or `acr` that count as a second factor. */
  readonly trustedFactors: readonly string[]
}

/** Random values that tie the directory's answer to the asking browser (OpenID Connect: state, nonce; RFC 7636: verifier). */
export type DirectoryTry = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** The directory's claims about a person. The fields are as the directory sent them, so each is checked where it is used. */
export type DirectoryClaims = { readonly iss: string; readonly sub: string } & Readonly<Record<string, unknown>>

/** The OpenID provider of the operator's organisation. */
export type Directory = {
  readonly config: DirectoryConfig
  /** Makes the address at the directory that a browser is sent to. @throws when the directory does not answer */
  begin(): Promise<{ readonly url: string; readonly started: DirectoryTry }>
  /**
   * Exchanges the code of an answer for the claims about the person. The library checks the state, the nonce, the issuer, the
   * audience, the times and the signature.
   *
   * @param search the query of the answer, from the question mark on
   * @throws when the directory declined, does not answer, or its answer is not right
   */
  end(search: string, started: DirectoryTry): Promise<DirectoryClaims>
}

/** The time limit of each call to the directory. Two or three calls fit into the time limit of a request. */
const callSeconds = 3

/** How long a directory's addresses and keys are cached: they change rarely. */
const knownMilliseconds = 3_600_000

/** Loads the library at the first sign-in by the directory. */
export function prepareDirectory(config: DirectoryConfig, publicUrl: string): Directory {
  const redirectUri = `${publicUrl}/desk/api/directory/callback`
  let known: { readonly at: number; readonly found: Promise<Configuration> } | undefined

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
    const issuer = new URL(config.issuer)
    // Only an issuer on this machine may be without TLS; the pattern of `OIDC_ISSUER` refuses others.
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
    execute.push(enableNonRepudiationChecks)
    return discovery(issuer, config.clientId, config.clientSecret, undefined, { timeout: callSeconds, execute })
  }
  function find(): Promise<Configuration> {
    if (known && Date.now() - known.at < knownMilliseconds) return known.found
    const found = discover()
    known = { at: Date.now(), found }
    found.catch(() => {
      known = undefined
    })
    return found
  }

  return {
    config,
    async begin() {
      const [library, found] = [await import('openid-client'), await find()]
      const verifier = library.randomPKCECodeVerifier()
      const started = { state: library.randomState(), nonce: library.randomNonce(), verifier }
      const url = library.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: started.state,
        nonce: started.nonce,
      })
      return { url: url.href, started }
    },
    async end(search, { state, nonce, verifier }) {
      const [library, found] = [await import('openid-client'), await find()]
      const answered = new URL(redirectUri)
      answered.search = search
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await library.authorizationCodeGrant(found, answered, checks)
      const claims = tokens.claims()
      if (!claims) throw new Error('the directory sent no id token')
      if (claims['email'] !== undefined || found.serverMetadata().userinfo_endpoint === undefined) return claims
      return { ...(await library.fetchUserInfo(found, tokens.access_token, claims.sub)), ...claims }
    },
  }
}
