import { Button, type ButtonProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Topic } from './live.ts'

export type ActProps = {
  /** The text of the button: `Suspend`. */
  readonly label: string
  /** The question of the dialog, before the act: `Suspend Ama Data?` */
  readonly question: string
  /** The text of the button in the dialog; by default the label. */
  readonly action?: string
  /** Whether the act takes a reason: it must be given, may be given, or is not asked for. */
  readonly reason?: 'needed' | 'possible' | 'none'
  /** The label of the field for the reason, where another word fits better: evidence, answer. */
  readonly reasonLabel?: string
  readonly reasonHelp?: string
  /** Whether the act takes something away. */
  readonly isGrave?: boolean
  readonly button?: ButtonProps
  /** Does the act. Without a reason, the text is empty. */
  readonly run: (reason: string) => Promise<unknown>
  /** The topics whose queries are read again after the act. */
  readonly topics: readonly Topic[]
  readonly onDone?: () => void
  /** Shown in the dialog below the question: before → after, whom the act concerns, more fields. */
  readonly children?: ReactNode
}

/**
 * Loads the code of the dialog when somebody first points at such a button or reaches one by keyboard. If every screen contained
 * this code, most screens would become more than twice as large.
 */
const loadDialog = () => import('./act-dialog.tsx')
const ActDialog = lazy(loadDialog)
const reachFor = () => void loadDialog().catch(() => undefined)

/**
 * A button for one act of the staff: its dialog shows the effect, asks once, takes a reason where one is kept, and shows a
 * refusal.
 */
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
