import { Fragment, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { sharedWords } from '../words.ts'
import { FailedReads } from './failed-reads.tsx'
import { Logo } from './logo.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { UpLink } from './page.tsx'
import css from './shell.module.css'

export type Destination = {
  readonly href: string
  readonly title: string
  /** Addresses that do not begin with `href`, but belong to the destination too. */
  readonly others?: readonly string[]
  /** The heading of its group in the rail. Destinations of one group are together. */
  readonly group?: string
  /**
   * True: the destination is in the bottom bar of a phone. The rail of a wide screen has all destinations but those with
   * `isOnlyInBar`.
   */
  readonly isInBar?: boolean
  /**
   * True: only the bottom bar has this destination. It leads to all destinations that are not in the bar, and shows the sum of
   * their counts.
   */
  readonly isOnlyInBar?: boolean
  /** How many things wait there for the person. */
  readonly waiting?: number | undefined
}

/** A badge with the number of waiting things; nothing for none. */
export function WaitingCount({ count }: { readonly count: number | undefined }) {
  return count !== undefined && count > 0 && <b className={css.waiting}>{count}</b>
}

/** True when an address belongs to the destination. Every address begins with `/`, so `/` matches only itself. */
const isAt = ({ href, others = [] }: Destination, address: string): boolean =>
  [href, ...others].some((each) => address === each || (each !== '/' && address.startsWith(`${each}/`)))

function DestinationLink({ href, title, waiting, isHere }: Destination & { readonly isHere: boolean }) {
  return (
    <Link href={href} className={isHere ? css.here : undefined} aria-current={isHere ? 'page' : undefined}>
      {title}
      <WaitingCount count={waiting} />
    </Link>
  )
}

type ShellProps = {
  /** Shown beside the mark: the account or the person that is signed in. */
  readonly name: string
  /** Shown below the name, small. */
  readonly detail?: ReactNode
  readonly label: string
  readonly destinations: readonly Destination[]
  /** Shown at the top of every screen: the button of the search. */
  readonly top?: ReactNode
  /** Shown above every screen, below `top`: messages for the person. */
  readonly banner?: ReactNode
  readonly children: ReactNode
}

/** The frame of all screens: a rail at the left on a wide screen, and on a phone a bottom bar with the most used screens. */
export function Shell({ name, detail, label, destinations, top, banner, children }: ShellProps) {
  const [address] = useLocation()
  const inBar = destinations.filter(({ isInBar }) => isInBar)
  // For a screen that is not in the bar, the bar marks the destination that leads to it.
  const lit = inBar.find((each) => isAt(each, address)) ?? inBar.find(({ isOnlyInBar }) => isOnlyInBar)
  // Screens with deeper addresses show their own link to the screen above.
  const isBelowMore = address !== lit?.href && address.lastIndexOf('/') === 0
  const inRail = destinations.filter(({ isOnlyInBar }) => !isOnlyInBar)
  const waitingElsewhere = inRail.reduce((sum, { isInBar, waiting = 0 }) => (isInBar ? sum : sum + waiting), 0)
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        {sharedWords.skipToContent}
      </a>
      <nav className={css.rail} aria-label={label}>
        <div className={css.brand}>
          <Logo />
          <div>
            <b>{name}</b>
            <div className={css.detail}>{detail}</div>
          </div>
        </div>
        {inRail.map((destination, index) => (
          <Fragment key={destination.href}>
            {destination.group !== inRail[index - 1]?.group && <div className={css.group}>{destination.group}</div>}
            <DestinationLink {...destination} isHere={isAt(destination, address)} />
          </Fragment>
        ))}
      </nav>
      <div className={css.content}>
        {top !== undefined && <div className={css.top}>{top}</div>}
        <OfflineBanner />
        {banner}
        <div className={css.failed}>
          <FailedReads />
        </div>
        {lit?.isOnlyInBar && isBelowMore && (
          <nav className={css.back} aria-label={lit.title}>
            <UpLink href={lit.href} />
          </nav>
        )}
        {children}
      </div>
      <nav className={css.bar} aria-label={label}>
        {inBar.map((destination) => (
          <DestinationLink
            key={destination.href}
            {...destination}
            isHere={destination === lit}
            {...(destination.isOnlyInBar && { waiting: waitingElsewhere })}
          />
        ))}
      </nav>
    </div>
  )
}
