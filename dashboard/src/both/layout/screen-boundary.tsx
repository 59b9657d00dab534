import { Component, type ReactNode } from 'react'
import { NoAnswer } from '../api/call-api.ts'
import { sharedWords } from '../words.ts'
import { Page } from './page.tsx'
import { Failure } from './query-states.tsx'

/** The messages of browsers when the file of a screen could not be loaded. */
const fileIsMissing =
  /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload css/i

const reloadedAtKey = 'makola.reloaded-at'
const reloadPauseMilliseconds = 60_000

/** True within a minute after a reload for a missing file. The page is then not reloaded again, to avoid an endless loop. */
function wasJustReloaded(): boolean {
  const at = Number(sessionStorage.getItem(reloadedAtKey) ?? 0)
  return Date.now() - at < reloadPauseMilliseconds
}

type Props = {
  /** The error is forgotten when the address changes. */
  readonly address: string
  readonly children: ReactNode
}
type State = { readonly error: unknown }

/**
 * Keeps the frame when a screen cannot be shown, and shows an error. The file of a screen is missing when the connection is lost,
 * or when the server has a new version. With a connection, the page is then loaded again, at most once a minute.
 */
export class ScreenBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override componentDidCatch(error: Error): void {
    if (!fileIsMissing.test(error.message) || !navigator.onLine || wasJustReloaded()) return
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    location.reload()
  }

  override componentDidUpdate({ address }: Props): void {
    if (address !== this.props.address && this.state.error !== undefined) this.setState({ error: undefined })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const isMissing = error instanceof Error && fileIsMissing.test(error.message)
    const shown = isMissing ? new NoAnswer() : new Error(sharedWords.screenBroke)
    return (
      <Page title={isMissing ? sharedWords.notLoaded : sharedWords.refused}>
        <Failure error={shown} onRetry={() => location.reload()} />
      </Page>
    )
  }
}
