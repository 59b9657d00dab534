import { startApp } from '../shared/start.tsx'
import { Desk, deskMeKey } from './desk.tsx'

startApp('/desk', deskMeKey, <Desk />)
