import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { setConfirmationDialog } from '../api/call-api.ts'

const ConfirmationDialog = lazy(() => import('./confirmation-dialog.tsx'))

/** Opens the dialog when a call needs it, and passes the result to all calls that wait for it. */
function useAskedConfirmation() {
  const [isOpen, setOpen] = useState(false)
  const [wasAsked, setAsked] = useState(false)
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([])
  useEffect(
    () =>
      setConfirmationDialog(() => {
        setAsked(true)
        setOpen(true)
        return new Promise((resolve) => {
          waiting.current.push(resolve)
        })
      }),
    [],
  )
  const end = (isConfirmed: boolean) => {
    setOpen(false)
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed)
  }
  return { wasAsked, isOpen, end }
}

/**
 * Asks for the password, or for a code of the second factor, when the server wants it before a call, such as a change of keys,
 * money or roles. Calls wait for it through `askConfirmation`. The dialog is loaded when it is first needed, because most
 * visits never see it.
 */
export function Confirmation(props: Omit<ComponentProps<typeof ConfirmationDialog>, 'isOpen' | 'end'>) {
  const { wasAsked, isOpen, end } = useAskedConfirmation()
  return <Suspense fallback={null}>{wasAsked && <ConfirmationDialog {...props} isOpen={isOpen} end={end} />}</Suspense>
}
