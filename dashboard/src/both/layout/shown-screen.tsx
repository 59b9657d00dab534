import { type ComponentType, Suspense } from 'react'
import { Link, matchRoute, Route, Switch, useLocation, useRouter } from 'wouter'
import { sharedWords } from '../words.ts'
import { Page, UpContext } from './page.tsx'
import { Waiting } from './query-states.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'

type Screens = readonly { readonly path: string; readonly component: ComponentType }[]
type Props = { readonly screens: Screens }

/** The nearest parent address that has a screen. An optional part, such as the row beside a list, is skipped. */
function useUp(screens: Screens, address: string): string | undefined {
  const { parser } = useRouter()
  const screenAt = (at: string) => screens.find(({ path }) => matchRoute(parser, path, at)[0])
  const parts =
    screenAt(address)
      ?.path.split('/')
      .filter((part) => part !== '' && !part.endsWith('?')) ?? []
  const ups = parts.slice(1).map((_, index) =>
    address
      .split('/')
      .slice(0, index + 2)
      .join('/'),
  )
  return ups.findLast((up) => screenAt(up))
}

/** Shows the screen of the address. An error of one screen does not stay when another is opened. */
export function ShownScreen({ screens }: Props) {
  const [address] = useLocation()
  const up = useUp(screens, address)
  return (
    <ScreenBoundary address={address}>
      <UpContext value={up}>
        <Suspense fallback={<Waiting />}>
          <Switch>
            {screens.map(({ path, component }) => (
              <Route key={path} path={path} component={component} />
            ))}
            <Route>
              <Page title={sharedWords.notFound}>
                <p>{sharedWords.notFoundNext}</p>
                <Link href="/">{sharedWords.toFirstScreen}</Link>
              </Page>
            </Route>
          </Switch>
        </Suspense>
      </UpContext>
    </ScreenBoundary>
  )
}
