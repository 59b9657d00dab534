import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Failure } from '../layout/query-states.tsx'
import css from './sign-in.module.css'
import { signInWords } from './sign-in-words.ts'

type Props = {
  /** Asks the server what the passkey must sign. */
  readonly ask: () => Promise<{ readonly options: string }>
  readonly send: (given: { readonly passkey: string }) => Promise<unknown>
  readonly onDone: () => void
}

/** Uses a passkey in place of a code. */
export function PasskeyButton({ ask, send, onDone }: Props) {
  const using = useMutation({
    mutationFn: async () => send({ passkey: await signWithPasskey((await ask()).options) }),
    onSuccess: onDone,
  })
  return (
    <div className={css.passkey}>
      <Button fullWidth loading={using.isPending} onClick={() => using.mutate()}>
        {signInWords.usePasskey}
      </Button>
      {using.error && <Failure error={using.error} />}
      <p>{signInWords.orCode}</p>
    </div>
  )
}

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
const signWithPasskey = (options: string): Promise<string> =>
  asked((library) => library.startAuthentication({ optionsJSON: JSON.parse(options) }))

/** Lets the person make a passkey on this device, a phone or a security key. @throws Error in words, when none was made */
export const makePasskey = (options: string): Promise<string> =>
  asked((library) => library.startRegistration({ optionsJSON: JSON.parse(options) }))
