import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Failure } from '../layout/wait.tsx'
import { signWithPasskey } from './ask-passkey.ts'
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
