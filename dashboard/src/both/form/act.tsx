import { Button, type ButtonProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Drafted, Fields, Values } from './fields.ts'

export type ActProps<F extends Fields = {}> = {
  /** The text of the button: `Suspend`. */
  readonly label: string
  /** The question in the dialog: `Suspend Ama Data?` */
  readonly question: string
  /** The text of the button in the dialog; by default the label. */
  readonly action?: string | ((draft: Drafted<F>) => string)
  /** The text of the button that closes the dialog; by default "Cancel". */
  readonly no?: string
  /** `needed`: a reason must be given. `possible`: it may be given. `none`: the form has no field for it. */
  readonly reason?: 'needed' | 'possible' | 'none'
  /** The label of the field for the reason, where another word fits better: evidence, answer. */
  readonly reasonLabel?: string
  readonly reasonHelp?: string
  /** True when the action takes something away. Its button in the dialog is then red. */
  readonly isGrave?: boolean
  readonly button?: ButtonProps & { readonly 'aria-label'?: string }
  /** The fields of the form, before the reason. */
  readonly fields?: F
  /** Does the action. Without a reason, the text is empty. */
  readonly run: (reason: string, values: Values<F>) => Promise<unknown>
  /** The topics whose queries are read again afterwards. */
  readonly topics: readonly string[]
  readonly onDone?: ((values: Values<F>) => void) | undefined
  /** Shown in the dialog below the question: the values before and after, or whom the action concerns. */
  readonly children?: ReactNode
  /** Shown below the fields: the effect of what is typed. */
  readonly effect?: (draft: Drafted<F>) => ReactNode
}

/**
 * Loads the code of the dialog when somebody first points at such a button or reaches one by keyboard. If every screen contained
 * this code, most screens would become more than twice as large.
 */
const loadDialog = () => import('./act-dialog.tsx')
const ActDialog = lazy(loadDialog)
const reachFor = () => void loadDialog().catch(() => undefined)

/**
 * A button for one action. Its dialog shows the effect, asks once, takes fields and a reason where the action has them, and
 * shows a refusal.
 */
export function Act<const F extends Fields = {}>({ label, button, ...props }: ActProps<F>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="light" {...button} onPointerEnter={reachFor} onFocus={reachFor} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <ActDialog
            {...({ action: label, ...props } as unknown as Parameters<typeof ActDialog>[0])}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
