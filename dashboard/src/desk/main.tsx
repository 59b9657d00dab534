import { startApp } from '../both/start.tsx'
import { Desk } from './desk.tsx'
import { deskMeKey } from './use-desk-me.ts'

startApp('/desk', deskMeKey, <Desk />)
