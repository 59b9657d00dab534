import { Button, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { ApiRefusal, NoAnswer } from '../api/call-api.ts'
import { sharedWords } from '../words.ts'
import { Card } from './page.tsx'
import css from './query-states.module.css'
import { useRegisterShownError } from './shown-errors.ts'

const skeletonAfterMilliseconds = 300

/** Grey lines in place of an answer that has not come. They appear only when the wait is long enough to be noticed. */
export function Waiting({
  lines = 3,
  height = 64,
}: {
  readonly lines?: number | undefined
  readonly height?: number | undefined
}) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), skeletonAfterMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={sharedWords.isLoading} className={css.waiting}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={height} visible className={isShown ? undefined : css.hidden} />
      ))}
    </div>
  )
}

type Read = Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>

type FailureProps = {
  readonly error: unknown
  /** Names what did not work; by default a general title. */
  readonly title?: string
  readonly onRetry?: (() => void) | undefined
}

/** Describes an error. If the server demanded a wait of a minute or more, the text names the minutes. */
export function wordsOfFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const seconds = error instanceof ApiRefusal ? error.retryAfterSeconds : undefined
  return seconds === undefined || seconds < 60
    ? error.message
    : `${error.message} ${sharedWords.waitMinutes(Math.ceil(seconds / 60))}`
}

/** The title of a failure. Where no answer came, the reason for that replaces the given title. */
export const titleOfFailure = (error: unknown, title: string): string =>
  error instanceof NoAnswer ? sharedWords.noAnswer[error.reason].title : title

/** Help that the app shows below failures that the person cannot mend. The desk sets none. */
export const FailureHelpContext = createContext<ComponentType<{ readonly error: unknown }> | undefined>(undefined)

export function FailureCard({ error, title = sharedWords.refused, onRetry }: FailureProps) {
  const Help = useContext(FailureHelpContext)
  return (
    <div role="alert">
      <Card tone="bad">
        <b>{titleOfFailure(error, title)}</b>
        <p>{wordsOfFailure(error)}</p>
        {onRetry && (
          <Button variant="light" mt={12} onClick={onRetry}>
            {sharedWords.tryAgain}
          </Button>
        )}
        {Help && onRetry && !(error instanceof NoAnswer) && (
          <Suspense fallback={null}>
            <Help error={error} />
          </Suspense>
        )}
      </Card>
    </div>
  )
}

/** A failure, shown at the place of the part that failed. */
export function Failure(failure: FailureProps) {
  useRegisterShownError(failure.error)
  return <FailureCard {...failure} />
}

/** Shown instead of a part of a screen that could not be read: its title, and a button to try again. */
export function FailedRead({ query, title }: { readonly query: Read; readonly title: string }) {
  return query.isError && <Failure title={title} error={query.error} onRetry={() => void query.refetch()} />
}

export type EmptyWords = { readonly title: string; readonly next?: ReactNode }

/** An empty list: what would be here, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Card>
      <b>{title}</b>
      {children !== undefined && <div className={css.soft}>{children}</div>}
    </Card>
  )
}

/** Shows the state of a query: a skeleton, the failure with a button to try again, or the answer. */
export function QueryAnswer<T>({
  query,
  lines,
  height,
  children,
}: {
  readonly query: UseQueryResult<T>
  readonly lines?: number
  /** The height of a line in pixels, about that of the answer, so that what is below does not move when the answer comes. */
  readonly height?: number
  readonly children: (answer: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Waiting lines={lines} height={height} />
}
