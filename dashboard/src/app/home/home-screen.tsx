import { Page } from '../../shared/layout/page.tsx'
import { useMe } from '../me.ts'

/** The first screen. */
export default function HomeScreen() {
  return <Page title={useMe().account.name}>{null}</Page>
}
