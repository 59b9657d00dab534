import { signInWords } from './sign-in-words.ts'

type Library = typeof import('@simplewebauthn/browser')

/** Browsers do not say whether the person cancelled, waited too long, or has no passkey here. So one message serves for all. */
async function asked(act: (library: Library) => Promise<object>): Promise<string> {
  const library = await import('@simplewebauthn/browser')
  try {
    return JSON.stringify(await act(library))
  } catch (error) {
    throw new Error(library.browserSupportsWebAuthn() ? signInWords.passkeyUnused : signInWords.noPasskeysHere, { cause: error })
  }
}

/** Lets the person use a passkey. @param options the server's, as JSON @throws Error in words, when none was used */
export const signWithPasskey = (options: string): Promise<string> =>
  asked((library) => library.startAuthentication({ optionsJSON: JSON.parse(options) }))

/** Lets the person make a passkey on this device, a phone or a security key. @throws Error in words, when none was made */
export const makePasskey = (options: string): Promise<string> =>
  asked((library) => library.startRegistration({ optionsJSON: JSON.parse(options) }))
