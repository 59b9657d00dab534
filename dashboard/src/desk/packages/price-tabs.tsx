import { Link } from 'wouter'
import { packageWords as words } from '../words/packages.ts'
import css from './packages.module.css'

/** Links to the present price list and to the scheduled prices. */
export function PriceTabs({ chosen }: { readonly chosen: 'now' | 'scheduled' }) {
  return (
    <nav className={css.tabs} aria-label={words.tabs}>
      <Link href="/packages" {...(chosen === 'now' && { 'aria-current': 'page' as const })}>
        {words.tabNow}
      </Link>
      <Link href="/packages/scheduled" {...(chosen === 'scheduled' && { 'aria-current': 'page' as const })}>
        {words.tabScheduled}
      </Link>
    </nav>
  )
}
