import { Button, type ButtonProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Topic } from './live.ts'

export type ActProps = {
  /** What the button says: `Suspend`. */
  readonly label: string
  /** The question of the dialog, before the act is done: `Suspend Ama Data?` */
  readonly question: string
  /** What the button in the dialog says; the label if left out. */
  readonly action?: string
  /** Whether the act takes a reason: one must be given, may be given, or is not asked for. */
  readonly reason?: 'needed' | 'possible' | 'none'
  /** The label of the field for the reason, where another word fits better: evidence, answer. */
  readonly reasonLabel?: string
  readonly reasonHelp?: string
  /** Whether it takes something away. */
  readonly isGrave?: boolean
  readonly button?: ButtonProps
  /** Does the act. Without a reason, the text is empty. */
  readonly run: (reason: string) => Promise<unknown>
  /** The topics whose lists are asked for again when the act is done. */
  readonly topics: readonly Topic[]
  readonly onDone?: () => void
  /** What the dialog shows below the question: before → after, whom the act concerns, more fields. */
  readonly children?: ReactNode
}

/**
 * The code of the dialog is loaded when somebody first points at such a button or reaches one by keyboard. If every
 * screen contained this code, most screens would become more than twice as large.
 */
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
