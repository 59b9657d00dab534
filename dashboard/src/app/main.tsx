import { startApp } from '../shared/start.tsx'
import { App } from './app.tsx'
import { meKey } from './me.ts'

startApp('/app', meKey, <App />)
