import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAct } from '../api/use-read.ts'
import { Failure } from '../layout/query-states.tsx'

type Props<Answer> = ButtonProps & {
  readonly 'aria-label'?: string
  readonly label: string
  readonly run: () => Promise<Answer>
  /** The topics whose answers are read again afterwards. */
  readonly topics: readonly string[]
  readonly onDone?: (answer: Answer) => void
  /** Shown afterwards: the result. */
  readonly done?: (answer: Answer) => ReactNode
}

/** A button for an action that needs no confirmation dialog. Shows a refusal. */
export function ActNow<Answer>({ label, run, topics, onDone, done, ...button }: Props<Answer>) {
  const acting = useAct<Answer>(run, topics, onDone)
  return (
    <>
      <Button variant="light" {...button} loading={acting.isPending} onClick={() => acting.mutate()}>
        {label}
      </Button>
      {done && <div role="status">{acting.isSuccess && done(acting.data)}</div>}
      {acting.isError && <Failure error={acting.error} />}
    </>
  )
}
