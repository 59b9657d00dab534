import { type ComponentType, Suspense } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { sharedWords } from '../words.ts'
import { Page } from './page.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'
import { Waiting } from './wait.tsx'

type Props = { readonly screens: readonly { readonly path: string; readonly component: ComponentType }[] }

/** Shows the screen of the address. An error of one screen does not stay when another is opened. */
export function ShownScreen({ screens }: Props) {
  const [address] = useLocation()
  return (
    <ScreenBoundary address={address}>
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
    </ScreenBoundary>
  )
}
