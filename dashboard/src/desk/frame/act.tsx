import { Button, type ButtonProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Topic } from './live.ts'

export type ActProps = {
  /** What the button says: `Suspend`. */
  readonly label: string
  /** What is asked before it is done: `Suspend Ama Data?` */
  readonly question: string
  /** What the button in the dialog says; the label if left out. */
  readonly action?: string
  /** Whether the act takes a reason: one must be given, may be given, or is not asked for. */
  readonly reason?: 'needed' | 'possible' | 'none'
  /** What the reason is called, where another word fits better: evidence, answer. */
  readonly reasonLabel?: string
  readonly reasonHelp?: string
  /** Whether it takes something away. */
  readonly isGrave?: boolean
  readonly button?: ButtonProps
  /** Does it. An empty reason is an empty text. */
  readonly run: (reason: string) => Promise<unknown>
  /** What is to be asked for anew when it was done. */
  readonly topics: readonly Topic[]
  readonly onDone?: () => void
  /** What will happen: before → after, whom it concerns, fields of its own. */
  readonly children?: ReactNode
}

/** The window comes when somebody first reaches for a button: with it every screen would be heavier by half. */
const loadDialog = () => import('./act-dialog.tsx')
const ActDialog = lazy(loadDialog)
const reachFor = () => void loadDialog().catch(() => undefined)

/** A button for one act of the staff: it says what will happen, asks once, takes a reason where one is kept, and shows a refusal. */
export function Act({ label, button, ...props }: ActProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="light" {...button} onPointerEnter={reachFor} onFocus={reachFor} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <ActDialog {...props} action={props.action ?? label} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
