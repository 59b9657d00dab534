import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { sharedWords } from '../words.ts'
import css from './page.module.css'

/** The address of the parent screen; undefined for a screen in the navigation rail or the bottom bar. */
export const UpContext = createContext<string | undefined>(undefined)

type PageProps = {
  readonly title: string
  /** Shown before the title on a phone. On a wide screen the rail shows it instead. */
  readonly lead?: ReactNode
  /** Shown below the title in small letters, only on a phone. */
  readonly detail?: string
  /** Shown at the right of the title: the balance, or a button. */
  readonly end?: ReactNode
  /** The main action: fixed above the bottom bar on a phone, at the end of the content on a wide screen. */
  readonly foot?: ReactNode
  /** True: the screen uses the whole width, as lists with a panel beside them do. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export const UpLink = ({ href }: { readonly href: string }) => (
  <Link href={href} className={css.up}>
    <span aria-hidden="true">‹</span> {sharedWords.back}
  </Link>
)

/** One screen: its title, its content, and the main action within reach of a thumb. */
export function Page({ title, lead, detail, end, foot, isWide, children }: PageProps) {
  const up = useContext(UpContext)
  const main = useRef<HTMLElement>(null)
  // A new screen gets the focus on its main part, which begins with its title, so that a screen reader begins there.
  useEffect(() => {
    document.title = `${title} · Makola`
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [title])
  return (
    <main
      id="main"
      className={`${css.page} ${foot === undefined ? '' : css.withFoot} ${isWide ? css.wide : ''}`}
      tabIndex={-1}
      ref={main}
    >
      {up !== undefined && <UpLink href={up} />}
      <header className={css.head}>
        {lead !== undefined && <span className={css.lead}>{lead}</span>}
        <div className={css.title}>
          <h1>{title}</h1>
          {detail !== undefined && <div className={css.detail}>{detail}</div>}
        </div>
        {end}
      </header>
      {children}
      {foot !== undefined && <div className={css.foot}>{foot}</div>}
    </main>
  )
}

/** A part of a screen with a small title. */
export function Section({
  title,
  end,
  children,
}: {
  readonly title: string
  readonly end?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <h2>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  )
}

/** A card. `gold` asks for attention, `bad` shows that something is wrong. */
export function Card({ tone = 'plain', children }: { readonly tone?: 'plain' | 'gold' | 'bad'; readonly children: ReactNode }) {
  return <div className={`${css.card} ${css[tone]}`}>{children}</div>
}

/** The one big value of a screen, with a small label above it. Screen readers read the label as the name of the value. */
export function Big({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <div className={css.label} aria-hidden="true">
        {label}
      </div>
      <output className={css.big} aria-label={label}>
        {value}
      </output>
    </div>
  )
}
