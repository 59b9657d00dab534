import { type ComponentType, lazy } from 'react'

export type EntryProps = {
  readonly onSignedIn: () => void
}

const screen = (load: () => Promise<{ default: ComponentType<EntryProps> }>) => lazy(load)

/** Screens that need no session, by their address; links of mails lead to some of them. */
export const entryScreens: Readonly<Record<string, ComponentType<EntryProps>>> = {
  '/register': screen(() => import('./register-screen.tsx')),
  '/verify': screen(() => import('./verify-screen.tsx')),
  '/forgot-password': screen(() => import('./forgot-password-screen.tsx')),
  '/forgot-password/phone': screen(() => import('./phone-recovery-screen.tsx')),
  '/set-password': screen(() => import('./set-password-screen.tsx')),
  '/join': screen(() => import('./join-screen.tsx')),
  '/keep-second-factor': screen(() => import('./keep-factor-screen.tsx')),
  '/mail': screen(() => import('../mail/mail-screen.tsx')),
}
